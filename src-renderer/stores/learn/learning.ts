// Learning models from logs: the form, the files that it will write, and the work, one model after another.
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import { isCancelled } from '#contract/errors.ts';
import { slugOf, stemOf } from '#domain/shared/fileNames.ts';
import { freeStem } from '#renderer/logic/learn/fileNames.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import {
  learnRequestsOf,
  parameterSchema,
  type ChangedParameters,
  type LearnForm,
} from '#renderer/logic/learn/learnForm.ts';
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import { kindNames } from '#renderer/logic/learn/learnKinds.ts';
import { withEdit, type FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { problemsOf, sentenceOf } from '#renderer/logic/problems.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { LearnPreset } from '#contract/host/learnMethods.ts';
import { useJobs } from '../host/jobs.ts';
import { useLogFiles } from './logFiles.ts';
import { useModelFiles } from './modelFiles.ts';

export const useLearning = defineStore('learning', () => {
  const jobs = useJobs();
  const logs = useLogFiles();
  const models = useModelFiles();
  const form = reactive<{
    kinds: LearnedKind[];
    preset: LearnPreset;
    changed: ChangedParameters;
    seed: number;
    /** '': a free name after the log. */
    stem: string;
  }>({ kinds: ['hybrid'], preset: 'browning-2012', changed: {}, seed: 1, stem: '' });
  const isLearning = ref(false);
  const error = ref<string | null>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  /** The reply to the last learning: its notes are for a person. */
  const last = shallowRef<LearnReplies['learn.start'] | null>(null);
  const schema = computed(() => parameterSchema(form.kinds, form.preset));
  const proposedStem = computed(() => {
    const [first] = logs.training;
    const name = first === undefined ? 'site' : slugOf(stemOf(first));
    return freeStem(
      models.folder,
      name,
      models.models.map(({ file }) => file),
    );
  });
  const whole = computed<LearnForm>(() => ({
    logs: logs.training,
    kinds: form.kinds,
    preset: form.preset,
    changed: form.changed,
    seed: form.seed,
    outStem: form.stem.trim() === '' ? proposedStem.value : form.stem.trim(),
  }));
  const requests = computed(() => learnRequestsOf(whole.value));
  const commands = computed(() =>
    requests.value.map((request) => commandOf('learn.start', request)).join('\n'),
  );
  const canLearn = computed(() => requests.value.length > 0 && logs.training.length > 0);

  watch(
    () => form.preset,
    () => (form.changed = {}),
  );
  const states = { form, isLearning, error, problems, last };
  return { ...states, schema, proposedStem, commands, canLearn, toggleKind, edit, learn };

  function toggleKind(kind: LearnedKind): void {
    form.kinds = form.kinds.includes(kind)
      ? form.kinds.filter((one) => one !== kind)
      : [...form.kinds, kind];
  }

  function edit(change: FormEdit): void {
    form.changed = withEdit(form.changed, change) as ChangedParameters;
    problems.value = [];
  }

  /** All kinds of the form. The first failure ends it. True where all were learned. */
  async function learn(): Promise<boolean> {
    if (isLearning.value) return false;
    [isLearning.value, error.value, problems.value] = [true, null, []];
    try {
      for (const request of requests.value) {
        const title = `Learn: ${kindNames[request.model]}, ${stemOf(request.out)}`;
        const options = { command: commandOf('learn.start', request) };
        const { reply } = await jobs.run(title, 'learn.start', request, options);
        last.value = reply;
        await models.add(reply.file);
        models.show(reply.file);
      }
      form.stem = '';
      return true;
    } catch (failure) {
      if (isCancelled(failure)) return false;
      const prefix = 'parameters.';
      problems.value = problemsOf(failure)
        .filter(({ path }) => path.startsWith(prefix))
        .map((one) => ({ ...one, path: one.path.slice(prefix.length) }));
      if (problems.value.length === 0) error.value = sentenceOf(failure);
      return false;
    } finally {
      isLearning.value = false;
    }
  }
});
