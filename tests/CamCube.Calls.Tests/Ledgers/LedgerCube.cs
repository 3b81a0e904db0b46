using CamCube.Testing;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>A test cube with a ledger on every server, and of every call what the client heard.</summary>
internal sealed class LedgerCube : IDisposable
{
    private readonly Dictionary<long, int> _done = [];
    private readonly List<(long Name, int Rank, Task<LedgerReply> Running)> _calls = [];
    private readonly HashSet<long> _abandoned = [];

    public LedgerCube(int x, int y, int z, int remembered = 4_096) =>
        Cube = new TestCube(x, y, z).Add(s => new Ledger(s, _done, remembered));

    public TestCube Cube { get; }

    public Ledger this[Coordinate server] => Cube[server].Service<Ledger>();

    public Ledger this[int rank] => Cube[rank].Service<Ledger>();

    /// <summary>Calls that were begun.</summary>
    public int Begun => _calls.Count;

    /// <summary>What came out of a task that has ended.</summary>
    public static T Ended<T>(Task<T> task)
    {
        Assert.True(task.IsCompletedSuccessfully);
        return task.GetAwaiter().GetResult();
    }

    /// <summary>A key whose home is this server.</summary>
    public Key KeyAt(Coordinate home, int number = 0)
    {
        for (int i = 0; ; i++)
        {
            var key = Key.OfName($"key-{i}");
            if (key.HomeIn(Cube.Shape) == home && number-- == 0)
            {
                return key;
            }
        }
    }

    /// <summary>Begins an addition.</summary>
    public Task<LedgerReply> Begin(int rank, Key key, byte[]? ballast = null)
    {
        long name = _calls.Count + 1;
        Task<LedgerReply> running = this[rank].AddAsync(key, name, ballast: ballast).AsTask();
        _calls.Add((name, rank, running));
        return running;
    }

    /// <summary>How often the last call that was begun was done.</summary>
    public int TimesOfLast => _done.GetValueOrDefault(_calls.Count);

    /// <summary>A server's power fails: its clients hear nothing any more.</summary>
    public void Kill(Coordinate server)
    {
        int rank = Cube.Shape.RankOf(server);
        _abandoned.UnionWith(_calls.Where(c => c.Rank == rank && !c.Running.IsCompleted).Select(c => c.Name));
        Cube.Kill(server);
    }

    /// <summary>Waits for all calls; each was done as often as its client was told.</summary>
    /// <returns>How many clients heard "done", "not done", "unknown".</returns>
    public (int Done, int NotDone, int Unknown) Settle()
    {
        Cube.AwaitUntil(() => _calls.TrueForAll(c => c.Running.IsCompleted || _abandoned.Contains(c.Name)));
        int[] heard = new int[3];
        foreach ((long name, _, Task<LedgerReply> running) in _calls)
        {
            int times = _done.GetValueOrDefault(name);
            LedgerStatus status = _abandoned.Contains(name) ? LedgerStatus.Unknown : Ended(running).Status;
            heard[(int)status]++;
            (int least, int most) = status switch
            {
                LedgerStatus.Done => (1, 1),
                LedgerStatus.NotDone => (0, 0),
                _ => (0, 1),
            };
            Assert.True(times >= least && times <= most, $"Call {name} was done {times} times; heard: {status}.");
        }

        return (heard[0], heard[1], heard[2]);
    }

    /// <summary>Ends a test: nothing waits, no packet is left.</summary>
    public void AssertQuiet()
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(5));
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                Ledger ledger = this[rank];
                Assert.Equal(0, ledger.Open);
                Assert.Equal(
                    (0, 0, 0, 0L),
                    (ledger.Channel.Sending, ledger.Channel.Kept, ledger.Channel.Arriving, ledger.Channel.ArrivingBytes)
                );
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
