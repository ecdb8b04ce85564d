// When the graphics card has done what it was given: asked without waiting for it.

export interface Fence {
  /** After a frame's last command. */
  start(): void;
  isPending(): boolean;
  /** Milliseconds that the frame took, once; null while it is not done, or has been reported already. */
  poll(): number | null;
}

/** Asks the graphics card, without waiting, whether it has finished a frame. */
export function createFence(gl: WebGL2RenderingContext): Fence {
  let pending: { sync: WebGLSync; fromMs: number } | null = null;
  return {
    start() {
      if (pending !== null) gl.deleteSync(pending.sync);
      const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      pending = sync === null ? null : { sync, fromMs: performance.now() };
      gl.flush();
    },
    isPending: () => pending !== null,
    poll() {
      if (pending === null) return null;
      const { sync, fromMs } = pending;
      if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED && !gl.isContextLost())
        return null;
      gl.deleteSync(sync);
      pending = null;
      return performance.now() - fromMs;
    },
  };
}
