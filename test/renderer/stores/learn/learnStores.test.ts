// The stores of the Learn page, without a page: what is asked of the host, and when.
import { beforeEach, describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import { useEvaluation } from '#renderer/stores/learn/evaluation.ts';
import { useLearning } from '#renderer/stores/learn/learning.ts';
import { useLearnView } from '#renderer/stores/learn/learnView.ts';
import { useLogFiles } from '#renderer/stores/learn/logFiles.ts';
import { useModelFiles } from '#renderer/stores/learn/modelFiles.ts';
import { usePlaceRanges } from '#renderer/stores/learn/placeRanges.ts';
import { answerLearning, logOf, modelOf } from '../hostAnswers.ts';
import { fakePage, untilCancelled, WithColumns, type FakePage } from '../pageOf.ts';

let page: FakePage;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

beforeEach(() => {
  page = fakePage();
  answerLearning(page, { models: [modelOf('m'), modelOf('n')] });
  page.answer('learn.elements', () => {
    return { originM: [90, 0, 0], elements: 2, sentElements: 1, triangles: 0, points: 0 };
  });
  page.answer('learn.place', () => {
    const none = { before: 0, within: 4, behind: 0, missed: 0 };
    const counts = Uint32Array.from([1, 3, 3, 1]);
    return new WithColumns({ beams: 4, outcomes: [none, none] }, { counts });
  });
});

describe('logs and models', () => {
  it('begin with the newest one, which is learned from and judged', async () => {
    const [logs, models] = [useLogFiles(), useModelFiles()];
    await settled();
    expect([logs.shown, logs.training]).toEqual(['/d/logs/a.log', ['/d/logs/a.log']]);
    expect([models.shown, models.judged]).toEqual(['/d/models/m.ply', ['/d/models/m.ply']]);
    logs.toggleTraining('/d/logs/b.log');
    expect(logs.training).toEqual(['/d/logs/a.log', '/d/logs/b.log']);
  });

  it('forget what is gone', async () => {
    const logs = useLogFiles();
    await settled();
    logs.show('/d/logs/b.log');
    page.answer('log.list', () => ({ folder: '/d/logs', logs: [logOf('a')] }));
    await logs.refresh();
    expect([logs.shown, logs.training]).toEqual(['/d/logs/a.log', ['/d/logs/a.log']]);
  });

  it('from elsewhere are asked for by their path from then on', async () => {
    const models = useModelFiles();
    await settled();
    let asked: unknown;
    page.answer('learn.models', (request) => {
      asked = request;
      return { folder: '/d/models', models: [modelOf('m')] };
    });
    await models.openFile('/home/x.ply');
    expect(asked).toEqual({ files: ['/home/x.ply'] });
    expect(models.shown).toBe('/d/models/m.ply');
  });
});

describe('the view', () => {
  it('is relative to the origin of the log', async () => {
    const view = useLearnView();
    await settled();
    await settled();
    expect(view.cloud.table?.positionsM).toEqual(Float32Array.from([1, 2, 3]));
    expect(view.originM).toEqual([100, 0, 0]);
    expect(view.modelOffsetM).toEqual([-10, 0, 0]);
    expect(page.calls).not.toContain('learn.sample');
  });

  it('asks for what looks largest from the camera where a model is thinned', async () => {
    const view = useLearnView();
    await settled();
    await settled();
    expect(view.isThinned).toBe(true);
    let asked: unknown;
    page.answer('learn.elements', (request) => {
      asked = request;
      return { originM: [90, 0, 0], elements: 2, sentElements: 2 };
    });
    view.lookFrom([1, 2, 3]);
    await settled();
    expect(asked).toMatchObject({ eyeM: [101, 2, 3] });
    expect(view.isThinned).toBe(false);
    const calls = page.calls.length;
    view.lookFrom([4, 5, 6]);
    await settled();
    expect(page.calls.length).toBe(calls);
  });

  it('draws the beams in the model when the simulation is shown, and cancels that for another log', async () => {
    const [view, logs] = [useLearnView(), useLogFiles()];
    await settled();
    const first = untilCancelled();
    let signal: AbortSignal | undefined;
    page.answer('learn.sample', (request, options) => {
      signal = options.signal;
      return first.how(request, options);
    });
    view.side = 'sample';
    await settled();
    expect(signal?.aborted).toBe(false);
    const before = signal;
    logs.show('/d/logs/b.log');
    await settled();
    expect(before?.aborted).toBe(true);
    expect(view.sample.error).toBeNull();
  });
});

describe('the command of the simulation view', () => {
  it('judges the shown model alone', async () => {
    const [logs, models, evaluation] = [useLogFiles(), useModelFiles(), useEvaluation()];
    expect(evaluation.shownCommand).toBeNull();
    await settled();
    models.toggleJudged('/d/models/n.ply');
    expect([logs.shown, models.judged.length]).toEqual(['/d/logs/a.log', 2]);
    expect(evaluation.shownCommand).toBe(
      'npx understory learn evaluate /d/models/m.ply --log /d/logs/a.log',
    );
  });
});

describe('a place', () => {
  it('is asked for in the world, and again for other models and radii', async () => {
    const [ranges, models] = [usePlaceRanges(), useModelFiles()];
    await settled();
    await settled();
    const asked: unknown[] = [];
    page.answer('learn.place', (request) => {
      asked.push(request);
      const none = { before: 0, within: 1, behind: 0, missed: 0 };
      return new WithColumns({ beams: 1, outcomes: [none] }, { counts: new Uint32Array(2) });
    });
    ranges.look({ placeM: [1, 2, 3], values: null });
    await settled();
    models.toggleJudged('/d/models/n.ply');
    await nextTick();
    await settled();
    ranges.settings.radiusM = 0.5;
    await settled();
    expect(asked).toEqual([
      {
        models: ['/d/models/m.ply'],
        log: '/d/logs/a.log',
        placeM: [101, 2, 3],
        radiusM: 0.1,
        windowM: 1,
      },
      expect.objectContaining({ models: ['/d/models/m.ply', '/d/models/n.ply'] }),
      expect.objectContaining({ radiusM: 0.5 }),
    ]);
    expect(ranges.command).toBe(
      'npx understory log ranges /d/logs/a.log /d/models/m.ply /d/models/n.ply --at 101,2,3 --radius 0.5 --window 1',
    );
    expect(ranges.placeInView).toEqual([1, 2, 3]);
    expect(ranges.found?.curves).toHaveLength(1);
  });
});

describe('learning', () => {
  it('makes one model after another and shows the last', async () => {
    const [learning, models] = [useLearning(), useModelFiles()];
    await settled();
    const asked: { model: string; out: string }[] = [];
    page.answer('learn.start', (request) => {
      const own = request as { model: string; out: string };
      asked.push(own);
      return { file: own.out, notes: [], elements: 1 };
    });
    const written = () => asked.map(({ out }) => ({ ...modelOf('x'), file: out }));
    page.answer('learn.models', () => ({ folder: '/d/models', models: written() }));
    learning.form.kinds = ['voxel', 'hybrid'];
    expect(learning.canLearn).toBe(true);
    await learning.learn();
    expect(asked.map(({ model, out }) => [model, out])).toEqual([
      ['voxel', '/d/models/a-voxel.ply'],
      ['hybrid', '/d/models/a-hybrid.ply'],
    ]);
    expect(models.judged).toEqual(['/d/models/a-voxel.ply', '/d/models/a-hybrid.ply']);
    expect(models.shown).toBe('/d/models/a-hybrid.ply');
  });

  it('shows a refused parameter at its field', async () => {
    const learning = useLearning();
    await settled();
    page.answer('learn.start', () => {
      const problems = [
        { path: 'parameters.volume.voxelM', code: 'too_small', message: 'too small' },
      ];
      throw new UnderstoryError('bad-input', 'refused', { problems });
    });
    learning.edit({ path: ['volume', 'voxelM'], op: 'set', value: 0 });
    await learning.learn();
    expect(learning.problems).toMatchObject([{ path: 'volume.voxelM', message: 'too small' }]);
    expect(learning.error).toBeNull();
    learning.form.preset = 'deschaud-2012';
    await nextTick();
    expect(learning.form.changed).toEqual({});
  });
});
