import { type Component, componentOf, textOf } from './component.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';

/** Returns where a key is sent, and by which name. @throws UntranslatableError */
export function keyPlace(owner: Component): { in: 'header' | 'query'; name: string } {
  const option = componentOf(owner, 'inject_into');
  const place = option ? textOf(option, 'inject_into') : 'header';
  const name = option ? textOf(option, 'field_name') : textOf(owner, 'header');
  if (!/^[A-Za-z0-9_-]+$/.test(name)) throw new UntranslatableError('the name of the API key');
  if (place !== 'header' && place !== 'request_parameter')
    throw new UntranslatableError('an API key in the body of requests');
  return { in: place === 'header' ? 'header' : 'query', name };
}
