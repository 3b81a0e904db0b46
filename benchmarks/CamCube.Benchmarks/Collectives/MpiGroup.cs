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
        import array, json, sys
        from mpi4py import MPI
        world, count, rounds = MPI.COMM_WORLD, int(sys.argv[1]) // 4, int(sys.argv[2])
        given = array.array("f", [world.rank + 1.0]) * count
        total, taken = array.array("f", [0.0]) * count, []
        for turn in range(rounds + 1):
            world.Barrier()
            began = MPI.Wtime()
            world.Allreduce([given, MPI.FLOAT], [total, MPI.FLOAT], op=MPI.SUM)
            taken.append(world.allreduce(MPI.Wtime() - began, op=MPI.MAX))
        right = world.size * (world.size + 1) / 2
        if total[0] != right or total[-1] != right:
            sys.exit("a wrong sum")
        if world.rank == 0:
            print(json.dumps(taken[1:]))

        """;
    private const string Ring = "4";

    // The one that Debian's package is for, whichever comes first elsewhere.
    private const string Python = "/usr/bin/python3";
    private readonly SwitchedServers _servers;
    private readonly int _count;
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-mpi-").FullName;

    /// <summary>Makes the namespaces.</summary>
    /// <param name="count">Processes, one in each.</param>
    /// <param name="mtu">Bytes of the largest IP packet.</param>
    /// <param name="bitsPerSecond">Of a port.</param>
    public MpiGroup(int count, int mtu, long bitsPerSecond)
    {
        _count = count;
        _servers = new SwitchedServers(count, mtu, bitsPerSecond);
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
    public async Task<double> AllReduceAsync(int bytes)
    {
        string hosts = string.Join(',', Enumerable.Range(0, _count).Select(_servers.AddressOf));
        string[] terms =
        [
            .. Of("plm_rsh_agent", AgentFile),
            .. Of("plm_rsh_no_tree_spawn", "1"),
            .. Of("oob_tcp_if_include", SwitchedServers.Port),
            .. Of("btl", "tcp,self"),
            .. Of("btl_tcp_if_include", SwitchedServers.Port),
            .. Of("pml", "ob1"),
            .. Of("mpi_yield_when_idle", "1"),
            .. Of("coll_tuned_use_dynamic_rules", "1"),
            .. Of("coll_tuned_allreduce_algorithm", Ring),
        ];
        string run = string.Create(
            CultureInfo.InvariantCulture,
            $"mpirun --allow-run-as-root -np {_count} --host {hosts} --map-by node {string.Join(' ', terms)} "
                + $"{Python} {ScriptFile} {bytes} 1"
        );
        string said = await Task.Run(() => Programs.Run(AgentFile, [_servers.AddressOf(0), run]));
        using JsonDocument json = JsonDocument.Parse(said);
        return json.RootElement[0].GetDouble();
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
