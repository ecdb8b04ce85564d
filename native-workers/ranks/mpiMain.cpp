// scanWorkerMpi: scanWorker over several processes of an MPI program, with the same arguments and the same bytes. Rank 0
// speaks frames over stdio; scenes are built by every rank, and the batches of a scan are handed out to all of them.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <span>
#include <thread>

#include "core/error.h"
#include "ranks/otherRank.h"
#include "ranks/rankLink.h"
#include "ranks/rankZero.h"
#include "scanWorker/handlers.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/sceneHandlers.h"
#include "scanWorker/workerStart.h"

namespace {

using namespace understory;

// The calls that every rank carries out.
bool isShared(const std::string& method) {
  return method == methods::sceneBuild.name || method == methods::scan.name;
}

void shareCalls(ServerMethods& server, RankZero& ranks) {
  // Why: the ranks carry out one call at a time.
  server.heavy.merge(server.overlapping);
  for (auto& [method, handler] : server.heavy) {
    if (!isShared(method)) continue;
    handler = [&ranks, own = handler](const Frame& request, Call& call) {
      ranks.begin(request);
      try {
        Message reply = own(request, call);
        ranks.end(false);
        return reply;
      } catch (...) {
        try {
          ranks.end(true);
        } catch (const UnderstoryError& error) {
          // Why not thrown: the ranks report what this one does, and the first failure counts.
          logLine("info", error.what());
        }
        throw;
      }
    };
  }
}

// Returns the exit code.
int serveAsRankZero(WorkerState& state, RankLink& link) {
  FrameWriter writer(moveStdoutAway());
  RankZero ranks(link, state.device->threads());
  state.ranks = &ranks;
  ServerMethods server = workerMethods(state);
  shareCalls(server, ranks);
  const bool isQuiet = serveCalls(STDIN_FILENO, writer, server);
  if (!ranks.stop()) MPI_Abort(MPI_COMM_WORLD, 1);
  return isQuiet ? 0 : 1;
}

void carryOut(WorkerState& state, RankJob& job, FrameWriter& nowhere) {
  Call call(nowhere, job.number());
  job.whenCancelled([&call] { call.cancel(); });
  try {
    if (job.request().header.value("method", "") == methods::scan.name) {
      if (!state.scene) throw UnderstoryError(ErrorCode::badInput, "no scene has been built");
      job.traceBatches(*state.scene, parseScanJob(job.request()));
    } else {
      handleSceneBuild(state.device, job.request(), call, state.meshStore.get(), state.scene);
    }
  } catch (...) {
    job.whenCancelled({});
    throw;
  }
  job.whenCancelled({});
}

void serveAsOtherRank(WorkerState& state, RankLink& link) {
  FrameWriter nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const ServerMethods server = workerMethods(state);
  serveRankZero(
      link, [&](RankJob& job) { carryOut(state, job, nowhere); }, server.describe);
}

}  // namespace

int main(int count, char** words) {
  int provided = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_SERIALIZED, &provided);
  WorkerState state;
  try {
    if (provided < MPI_THREAD_SERIALIZED) {
      throw UnderstoryError(ErrorCode::unsupported, "this MPI cannot be called by several threads");
    }
    startWorker(parseWorkerArguments({words, static_cast<std::size_t>(count)}), state);
  } catch (const UnderstoryError& error) {
    logLine("error", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  RankLink link;
  int exitCode = 0;
  if (link.rank() == 0) {
    exitCode = serveAsRankZero(state, link);
  } else {
    serveAsOtherRank(state, link);
  }
  MPI_Finalize();
  // Why at once: a call may be under way on the working thread, and its caller is gone.
  std::_Exit(exitCode);
}
