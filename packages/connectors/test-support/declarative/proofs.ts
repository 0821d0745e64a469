import type { ConnectorProof } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { RecordedAnswer } from '../../src/declarative/builder/recorded-answer.ts';
import { proveDocument } from '../../src/declarative/prove/index.ts';
import type { ConformanceSubject } from '../conformance/index.ts';
import { documentOf } from './generate.ts';
import { recordAnswers } from './recordings.ts';
import type { ServiceShape } from './shape.ts';
import { generateShapes } from './shapes.ts';
import { documentSubjects, subjectOf } from './subjects.ts';

/** Records the answers of the stand-ins of some entities. */
export async function recordSubjects(
  document: ConnectorDocument,
  subjects: readonly ConformanceSubject[],
): Promise<RecordedAnswer[]> {
  const recorded: RecordedAnswer[] = [];
  for (const subject of subjects) {
    const standIn = await subject.start();
    try {
      recorded.push(...(await recordAnswers(document, standIn, subject)));
    } finally {
      await standIn.close();
    }
  }
  return recorded;
}

/** Records the answers of a service of a shape, as its right document asks for them. */
export async function recordShape(shape: ServiceShape): Promise<RecordedAnswer[]> {
  const document = documentOf(shape, 1);
  const { settings, start } = subjectOf(shape, 1);
  const standIn = await start();
  try {
    return await recordAnswers(document, standIn, { settings });
  } finally {
    await standIn.close();
  }
}

/** Proves a generated document with answers of its own service. @param index that of the shape */
export async function proveGenerated(index: number): Promise<ConnectorProof> {
  const shape = generateShapes()[index] as ServiceShape;
  const document = documentOf(shape, index);
  const subject = documentSubjects()[index] as ConformanceSubject;
  const standIn = await subject.start();
  try {
    return await proveDocument(
      document,
      await recordAnswers(document, standIn, { settings: subject.settings }),
    );
  } finally {
    await standIn.close();
  }
}

/** Returns the failed checks of a proof, as texts to compare. */
export function failuresOf({ checks }: ConnectorProof): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ title, path }) => `${title} [${path}]`);
}
