import { hash } from 'node:crypto';
import { isoSeconds, nodeId } from './links.ts';
import type { AssetFacts, ReleaseFacts } from './record-facts.ts';
import { isoOrNull, type RepositoryScene, reactionsShape, type Shape } from './repository-scene.ts';

/** Returns a release (schema release). */
export function releaseShape(scene: RepositoryScene, release: ReleaseFacts): Shape {
  const url = `${scene.api}/releases/${release.id}`;
  const { owner, name } = scene.facts;
  const tag = encodeURIComponent(release.tag);
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${scene.links.web}/uploads/repos/${owner}/${name}/releases/${release.id}/assets{?name,label}`,
    html_url: `${scene.web}/releases/tag/${release.isDraft ? `untagged-${release.id.toString(16)}` : tag}`,
    id: release.id,
    author: scene.user(release.author),
    node_id: nodeId('RE', release.id),
    tag_name: release.tag,
    target_commitish: 'main',
    name: release.name,
    draft: release.isDraft,
    immutable: false,
    prerelease: release.isPrerelease,
    created_at: isoSeconds(release.createdAt),
    updated_at: isoSeconds(release.updatedAt),
    published_at: isoOrNull(release.publishedAt),
    assets: release.assets.map((asset, index) => assetShape(scene, release, asset, index)),
    tarball_url: release.isDraft ? null : `${scene.api}/tarball/${tag}`,
    zipball_url: release.isDraft ? null : `${scene.api}/zipball/${tag}`,
    body: release.body,
    ...(release.thumbs > 0 ? { reactions: reactionsShape(url, release.thumbs) } : {}),
  };
}

function assetShape(scene: RepositoryScene, release: ReleaseFacts, asset: AssetFacts, index: number): Shape {
  const id = release.id * 10 + index;
  const tag = release.isDraft ? 'untagged' : encodeURIComponent(release.tag);
  return {
    url: `${scene.api}/releases/assets/${id}`,
    id,
    node_id: nodeId('RA', id),
    name: asset.name,
    label: '',
    uploader: scene.user(release.author),
    content_type: asset.contentType,
    state: 'uploaded',
    size: asset.size,
    digest: `sha256:${hash('sha256', `${release.tag} ${asset.name}`)}`,
    download_count: asset.downloads,
    created_at: isoSeconds(release.createdAt),
    updated_at: isoSeconds(release.updatedAt),
    browser_download_url: `${scene.web}/releases/download/${tag}/${encodeURIComponent(asset.name)}`,
  };
}
