// The octree of the chosen log.
import { defineStore } from 'pinia';
import { useClient } from '#renderer/client/injection.ts';
import { createCloudOctree } from '../cloud/cloudOctree.ts';

export const useLogOctree = defineStore('logOctree', () => createCloudOctree(useClient()));
