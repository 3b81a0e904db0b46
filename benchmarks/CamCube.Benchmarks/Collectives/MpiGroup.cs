using System.Globalization;
using System.Text.Json;
using CamCube.Benchmarks.Distributions;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>OpenMPI (mpi4py) with a process in each of a bridge's namespaces. Root; gone when disposed.</summary>
internal sealed class MpiGroup : IDisposable
{
    // What each process runs; the first prints the seconds of the slowest, of each round.
    private const string Script = """
        import array, json, os, resource, signal, sys
        from mpi4py import MPI
        world, count, rounds = MPI.COMM_WORLD, int(sys.argv[1]) // 4, int(sys.argv[2])
        dies = len(sys.argv) > 3 and world.rank == 1
        given = array.array("f", [world.rank + 1.0]) * count
        total, taken = array.array("f", [0.0]) * count, []
        def cpu():
            used = resource.getrusage(resource.RUSAGE_SELF)
            return used.ru_utime + used.ru_stime
        for turn in range(rounds + 1):
            if turn == 1:
                before = cpu()
                if dies:
                    os.kill(os.getpid(), signal.SIGKILL)
            world.Barrier()
            began = MPI.Wtime()
            world.Allreduce([given, MPI.FLOAT], [total, MPI.FLOAT], op=MPI.SUM)
            taken.append(world.allreduce(MPI.Wtime() - began, op=MPI.MAX))
        used = world.allreduce(cpu() - before, op=MPI.SUM)
        right = world.size * (world.size + 1) / 2
        if total[0] != right or total[-1] != right:
            sys.exit("a wrong sum")
        if world.rank == 0:
            print(json.dumps(taken[1:] + [used]))

        """;
    private const string Ring = "4";

    // The one that Debian's package is for, whichever comes first elsewhere.
    private const string Python = "/usr/bin/python3";
    private readonly SwitchedServers _servers;
    private readonly string _ports;
    private readonly int _count;
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-mpi-").FullName;

    /// <summary>Makes the namespaces.</summary>
    /// <param name="count">Processes, one in each.</param>
    /// <param name="mtu">Bytes of the largest IP packet.</param>
    /// <param name="bitsPerSecond">Of a port, or of a cable; 0: as fast as the machine is.</param>
    /// <param name="isRing">Vectors go along a ring of cables, and a switch has only what starts the processes.</param>
    public MpiGroup(int count, int mtu, long bitsPerSecond, bool isRing = false)
    {
        _count = count;
        _servers = new SwitchedServers(count, mtu, isRing ? 0 : bitsPerSecond);
        _ports = isRing ? RingOfCables.Addresses : SwitchedServers.Port;
        if (isRing)
        {
            try
            {
                RingOfCables.Add(_servers, count, mtu, bitsPerSecond);
            }
            catch
            {
                _servers.Dispose();
                throw;
            }
        }

        File.WriteAllText(ScriptFile, Script);

        // In the place of ssh: a host is a namespace, with a name of its own, or its daemons take it for another's.
        string prefix = _servers.NameOf(0)[..^1];
        File.WriteAllText(
            AgentFile,
            $"""
            #!/bin/sh
            name={prefix}$(($(echo "$1" | sed 's/.*[.]//') - 1))
            shift
            exec ip netns exec $name unshare --uts sh -c "hostname $name; $*"

            """
        );
        Programs.Run("chmod", ["u+x", AgentFile]);
    }

    /// <summary>Whether it can be run here.</summary>
    public static bool IsInstalled =>
        OwnProcess.IsInstalled("mpirun") && Programs.Try(Python, ["-c", "import mpi4py"]).ExitCode == 0;

    /// <summary>Seconds of one allreduce of float32 at the slowest process, along its ring.</summary>
    /// <param name="bytes">Length of the vectors.</param>
    /// <exception cref="TestbedException">It did not end well, or a result is wrong.</exception>
    public async Task<double> AllReduceAsync(int bytes) => (await MeasureAsync(bytes, 1)).Seconds;

    /// <summary>The same, of so many: the mean; and CPU seconds of all processes for each.</summary>
    /// <param name="bytes">Length of the vectors.</param>
    /// <param name="rounds">How many, after one that is not told.</param>
    /// <exception cref="TestbedException">It did not end well, or a result is wrong.</exception>
    public async Task<(double Seconds, double Cpu)> MeasureAsync(int bytes, int rounds)
    {
        string said = await OwnProcess.RunAsync(AgentFile, [_servers.AddressOf(0), Order(bytes, rounds, "")]);
        using JsonDocument json = JsonDocument.Parse(said);
        double[] all = [.. json.RootElement.EnumerateArray().Select(static one => one.GetDouble())];
        return (all[..^1].Average(), all[^1] / rounds);
    }

    /// <summary>What becomes of a job of which a process is killed in the middle: how its program ended; 0: it went
    /// on.</summary>
    /// <param name="bytes">Length of the vectors.</param>
    public async Task<int> EndOfKilledAsync(int bytes) =>
        (await Task.Run(() => Programs.Try(AgentFile, [_servers.AddressOf(0), Order(bytes, 3, " dies")]))).ExitCode;

    private string Order(int bytes, int rounds, string more)
    {
        string hosts = string.Join(',', Enumerable.Range(0, _count).Select(_servers.AddressOf));
        string[] terms =
        [
            .. Of("plm_rsh_agent", AgentFile),
            .. Of("plm_rsh_no_tree_spawn", "1"),
            .. Of("oob_tcp_if_include", SwitchedServers.Port),
            .. Of("btl", "tcp,self"),
            .. Of("btl_tcp_if_include", _ports),
            .. Of("pml", "ob1"),
            .. Of("mpi_yield_when_idle", "1"),
            .. Of("coll_tuned_use_dynamic_rules", "1"),
            .. Of("coll_tuned_allreduce_algorithm", Ring),
        ];
        return string.Create(
            CultureInfo.InvariantCulture,
            $"mpirun --allow-run-as-root -np {_count} --host {hosts} --map-by node {string.Join(' ', terms)} "
                + $"{Python} {ScriptFile} {bytes} {rounds}{more}"
        );
    }

    public void Dispose()
    {
        _servers.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static string[] Of(string name, string value) => ["--mca", name, value];

    private string ScriptFile => Path.Combine(_folder, "allreduce.py");

    private string AgentFile => Path.Combine(_folder, "agent");
}
