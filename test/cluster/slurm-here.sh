#!/usr/bin/env bash
# A small Slurm cluster on this machine, for tests: slurmctld and N slurmd, loopback only. Needs root and the Debian
# packages slurm-wlm and munge (apt-get install --no-install-recommends). Tried with 22.05 on Debian 12.
#   slurm-here.sh start DIR [NODES=4]   prints the SLURM_CONF to export; nodes are n1 … nN with one CPU each
#   slurm-here.sh lose DIR NODE         kills that node's daemon and what runs on it, as a power failure does
#   slurm-here.sh back DIR NODE         brings it back
#   slurm-here.sh stop DIR
set -euo pipefail
verb=${1:?start, lose, back or stop}; dir=$(realpath -m "${2:?a folder}"); conf=$dir/slurm.conf; host=$(hostname -s)
export SLURM_CONF=$conf
case $verb in
  start)
    nodes=${3:-4}; base=$((20000 + RANDOM % 20000)); mkdir -p "$dir"/{state,spool,log}
    [ -S /run/munge/munge.socket.2 ] && munge -n 2>/dev/null | unmunge >/dev/null 2>&1 || {
      mkdir -p /run/munge /var/log/munge /var/lib/munge; chown munge /run/munge /var/log/munge /var/lib/munge
      [ -f /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 status=none; chown munge /etc/munge/munge.key; chmod 400 /etc/munge/munge.key; }
      su munge -s /bin/sh -c /usr/sbin/munged; }
    cat >"$conf" <<CONF
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=cred_expire=15
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
TmpFS=$dir/tmp/%n
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldLogFile=$dir/log/ctld.log
SlurmdLogFile=$dir/log/%n.log
SlurmctldPort=$base
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
MaxArraySize=100001
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + nodes))] CPUs=1 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    slurmctld; for n in $(seq "$nodes"); do mkdir -p "$dir/spool/n$n" "$dir/tmp/n$n"; slurmd -N "n$n"; done
    for _ in $(seq 30); do [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = "$nodes" ] && break; sleep 1; done
    sinfo >&2; echo "SLURM_CONF=$conf" ;;
  lose)
    n=${3:?a node}; kill -9 "$(cat "$dir/$n.pid")"
    for step in $(pgrep slurmstepd || true); do
      tr '\0' '\n' <"/proc/$step/environ" 2>/dev/null | grep -qx "SLURMD_NODENAME=$n" || lsof -p "$step" 2>/dev/null | grep -q "$dir/spool/$n" || continue
      kill -9 -- $(pgrep -P "$step" || true) "$step" 2>/dev/null || true
    done ;;
  back) slurmd -N "${3:?a node}" ;;
  stop) for f in "$dir"/n*.pid "$dir/ctld.pid"; do [ -f "$f" ] && kill "$(cat "$f")" 2>/dev/null || true; done ;;
  *) echo "start, lose, back or stop" >&2; exit 2 ;;
esac
