import { type Component, splitTemplate, textOf } from './component.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';

/** An origin whose host has at least two labels, and one with a hole for a label or a part of it. */
const FIXED =
  /^https:\/\/[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d{1,5})?$/;
const WITH_LABEL =
  /^https:\/\/([a-z0-9-]*)\{\{\s*config(?:\.(\w+)|\[\s*["'](\w+)["']\s*\])\s*\}\}([a-z0-9-]*\.[a-z0-9.-]+\.[a-z]+)$/;

/** Returns the base address of a requester as the manifest has it. */
export function urlBaseOf(requester: Component): string {
  return (textOf(requester, 'url_base') || textOf(requester, 'url')).trim();
}

/** Returns the method of a requester, GET by default. @throws UntranslatableError for another one than GET and POST */
export function requesterMethodOf(requester: Component): 'GET' | 'POST' {
  const method = (textOf(requester, 'http_method') || 'GET').toUpperCase();
  if (method === 'GET' || method === 'POST') return method;
  throw new UntranslatableError(`the method ${method}`);
}

/** Returns the address of requests with its templates, joined as the CDK does: a path may be a whole address. */
export function addressOf(requester: Component): string {
  const base = urlBaseOf(requester);
  const path = textOf(requester, 'path').replace(/^\/+/, '');
  if (path === '') return base;
  if (/^https?:\/\//.test(path)) return path;
  return base.endsWith('/') ? base + path : `${base}/${path}`;
}

/** Returns scheme and host of an address, with the templates in them. @throws UntranslatableError if it does not begin with https */
export function originOf(address: string): string {
  const parts = splitTemplate(address);
  if (!parts[0]?.startsWith('https://')) throw new UntranslatableError('an address that each person enters');
  let origin = '';
  for (const [index, part] of parts.entries()) {
    const rest = index === 0 ? part.slice('https://'.length) : part;
    const end = index % 2 === 0 ? rest.search(/[/?]/) : -1;
    if (end >= 0) return `https://${origin}${rest.slice(0, end)}`;
    origin += rest;
  }
  return `https://${origin}`;
}

/** Returns an origin around a label that each person enters, and the name of its value; undefined for another one. */
export function aroundLabel(origin: string): { before: string; name: string; after: string } | undefined {
  const [, before = '', name, quoted, after = ''] = WITH_LABEL.exec(origin) ?? [];
  const found = name ?? quoted;
  return found === undefined ? undefined : { before, name: found, after };
}

/** Returns the origin of an address in small letters; undefined unless it is https with a host of two labels or more, and no template. */
export function fixedOriginOf(address: string): string | undefined {
  const origin = attempt(() => originOf(address).toLowerCase());
  return 'value' in origin && FIXED.test(origin.value) ? origin.value : undefined;
}

/**
 * Returns an origin as documents have it: `https://{config.site}.example.com`.
 * @param nameOf returns the name of the field of a value
 * @throws UntranslatableError
 */
export function baseUrlOf(origin: string, nameOf: (value: string) => string): string {
  const label = aroundLabel(origin);
  if (label) return `https://${label.before}{config.${nameOf(label.name)}}${label.after}`;
  if (FIXED.test(origin)) return origin;
  throw new UntranslatableError('a host that each person enters');
}
