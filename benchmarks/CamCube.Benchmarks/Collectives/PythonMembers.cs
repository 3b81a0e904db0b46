using System.Globalization;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>Programs in Python, a member of the collectives each, at the sockets of a testbed's servers.</summary>
internal static class PythonMembers
{
    // What both have in common: a process for each member, which says what it has to say through a pipe.
    private const string Common = """
        import array, json, os, random, signal, sys, time
        sys.path.insert(0, sys.argv[1])
        from camcube_collectives import CollectiveError, Group
        folder, places, size = sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
        count, ranks = len(places), {place: rank for rank, place in enumerate(places)}
        def path(rank):
            return f"{folder}/camcube-collectives-{rank}.sock"
        def fork(work, rank, *more):
            reads, writes = os.pipe()
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    os.write(writes, json.dumps(work(rank, *more)).encode())
                    code = 0
                except BaseException as wrong:
                    print(f"member {rank}: {wrong}", file=sys.stderr, flush=True)
                finally:
                    os._exit(code)
            os.close(writes)
            return child, reads
        def said(reads):
            text = b""
            while more := os.read(reads, 65536):
                text += more
            os.close(reads)
            return json.loads(text) if text else None
        def summed(group, given):
            total = array.array("f", [given]) * (size // 4)
            began = time.monotonic()
            group.allreduce(total)
            return time.monotonic() - began, total
        def check(total, right):
            if total[0] != right or total[-1] != right:
                raise ValueError(f"a wrong sum: {total[0]}, not {right}")

        """;

    private const string AllReduce = """
        name, rounds = sys.argv[5], int(sys.argv[6])
        def member(rank):
            taken = []
            with Group(name, path(rank)) as group:
                for turn in range(rounds + 1):
                    group.barrier()
                    seconds, total = summed(group, rank + 1.0)
                    check(total, count * (count + 1) / 2)
                    taken.append(seconds)
            return taken[1:]
        children = [fork(member, rank) for rank in range(count)]
        taken = [said(reads) for _, reads in children]
        codes = [os.waitpid(child, 0)[1] for child, _ in children]
        if any(codes) or None in taken:
            sys.exit("a member failed")
        print(json.dumps([max(of) for of in zip(*taken)]))

        """;

    private const string Survive = """
        name, times = sys.argv[5], int(sys.argv[6])
        drawn = random.Random(1)
        def member(rank, turn):
            group = Group(f"{name}/{turn}", path(rank))
            try:
                while True:
                    summed(group, 1.0)
            except CollectiveError as wrong:
                if wrong.status != "member lost":
                    raise
                lost = ranks[wrong.words.split()[0]]
            group.abandon()
            others = [other for other in range(count) if other != lost]
            with Group(f"{name}/{turn}/others", path(rank), others) as group:
                for _ in range(3):
                    check(summed(group, 1.0)[1], count - 1)
            return lost
        went_on, worst = 0, 0.0
        for turn in range(times):
            children = [fork(member, rank, turn) for rank in range(count)]
            time.sleep(drawn.uniform(0.5, 1.5))
            victim = drawn.randrange(count)
            began = time.monotonic()
            os.kill(children[victim][0], signal.SIGKILL)
            words = [said(reads) for _, reads in children]
            worst = max(worst, time.monotonic() - began)
            codes = [os.waitpid(child, 0)[1] for child, _ in children]
            went_on += all(
                words[rank] == victim and codes[rank] == 0 for rank in range(count) if rank != victim
            )
        print(json.dumps([went_on, worst]))

        """;

    /// <summary>Seconds of one allreduce of float32 at the slowest member, as its program sees it, of each round; sums
    /// are looked at.</summary>
    /// <param name="cube">Where.</param>
    /// <param name="bytes">Length of the vectors.</param>
    /// <param name="rounds">How often, after one that is not told.</param>
    /// <exception cref="TestbedException">It did not end well, or a result is wrong.</exception>
    public static Task<double[]> AllReduceAsync(CollectivesOnCables cube, int bytes, int rounds) =>
        RunAsync(cube, AllReduce, bytes, rounds, TimeSpan.FromMinutes(10));

    /// <summary>Kills one of the programs in the middle of its allreduces, again and again. Returns how often all
    /// others were told who it was and went on without it, with right sums; and the most seconds that took.</summary>
    /// <param name="cube">Where.</param>
    /// <param name="bytes">Length of the vectors.</param>
    /// <param name="times">How often.</param>
    /// <exception cref="TestbedException">It did not end.</exception>
    public static async Task<(int WentOn, double Worst)> SurviveAsync(CollectivesOnCables cube, int bytes, int times)
    {
        double[] said = await RunAsync(cube, Survive, bytes, times, TimeSpan.FromMinutes(1 + times));
        return ((int)said[0], said[1]);
    }

    private static async Task<double[]> RunAsync(
        CollectivesOnCables cube,
        string script,
        int bytes,
        int times,
        TimeSpan patience
    )
    {
        string[] terms =
        [
            "-c",
            Common + script,
            cube.PythonFolder,
            cube.SocketFolder,
            JsonSerializer.Serialize(cube.Places),
            Number(bytes),
            $"group/{cube.NextName()}",
            Number(times),
        ];
        string most = string.Create(CultureInfo.InvariantCulture, $"{patience.TotalSeconds:0}");
        string said = await OwnProcess.RunAsync("timeout", ["--kill-after=5", most, "python3", .. terms]);
        return JsonSerializer.Deserialize<double[]>(said)!;
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
