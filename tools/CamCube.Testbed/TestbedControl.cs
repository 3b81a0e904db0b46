using System.Diagnostics;

namespace CamCube.Testbed;

/// <summary>Ends and starts servers of a testbed and cuts and mends its cables. Holds the testbed's lock as long as it
/// lives.</summary>
public sealed class TestbedControl : IDisposable
{
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(10);
    private readonly TestbedStore _store;
    private TestbedState _state;

    /// <summary>Takes a testbed into hand.</summary>
    /// <exception cref="TestbedException">There is none, or it is not complete, or another command is at work on
    /// it.</exception>
    public TestbedControl(string name)
    {
        TestbedNetwork.CheckMachine();
        TestbedStore.Require(name);
        _store = TestbedStore.Open(name);
        try
        {
            _state = TestbedStore.Require(name);
            CheckComplete(_state);
        }
        catch
        {
            _store.Dispose();
            throw;
        }

        Shape = _state.Plan.Torus();
    }

    /// <summary>The cube's shape.</summary>
    public TorusShape Shape { get; }

    /// <summary>The testbed as it is now.</summary>
    public TestbedState State => _state;

    /// <summary>Fails for a testbed whose <c>up</c> did not get as far as starting servers.</summary>
    public static void CheckComplete(TestbedState state)
    {
        if (!state.IsComplete)
        {
            throw new TestbedException(
                $"testbed '{state.Plan.Name}' was not finished; 'camcube testbed down' removes what there is."
            );
        }
    }

    /// <summary>Sends a signal to a server. A server that is to be gone afterwards is waited for.</summary>
    public void Signal(int rank, int signal)
    {
        TestbedServer server = _state.Servers[rank];
        if (server.Process is not { } process || !ProcessSignals.Send(process, signal))
        {
            throw new TestbedException($"server {server.Coordinate} does not run.");
        }

        long began = Stopwatch.GetTimestamp();
        while (signal == ProcessSignals.Kill && process.IsAlive() && Stopwatch.GetElapsedTime(began) < EndTime)
        {
            Thread.Sleep(5);
        }
    }

    /// <summary>Starts a server that does not run, as it was started the first time, and waits until it is
    /// ready.</summary>
    public async Task StartAsync(int rank, TimeSpan limit, CancellationToken cancel)
    {
        Start(rank);
        await new ReadyWait(_state).RunAsync([rank], limit, () => { }, cancel);
    }

    /// <summary>Starts a server that does not run, as it was started the first time, and does not wait.</summary>
    public void Start(int rank)
    {
        TestbedServer server = _state.Servers[rank];
        if (server.Process?.IsAlive() == true)
        {
            throw new TestbedException($"server {server.Coordinate} runs already (process {server.Process.Id}).");
        }

        if (NetworkNamespace.IdentityOf(server.Namespace) != server.Identity)
        {
            throw new TestbedException($"namespace {server.Namespace} is gone or is another one now.");
        }

        ProcessMark process = new ServerLauncher(_state.Plan).Start([rank])[0];
        TestbedServer[] servers = [.. _state.Servers];
        servers[rank] = server with { Process = process };
        Write(_state with { Servers = servers });
    }

    /// <summary>Cuts a cable.</summary>
    public void Cut(int rank, Link link, CutKind how)
    {
        CheckCable(rank, link);
        var network = new TestbedNetwork(_state.Plan);
        network.Cut(rank, link, how);
        Write(_state with { Cuts = [.. _state.Cuts, new TestbedCut(rank, link.PlainName(), how)] });
    }

    /// <summary>Mends a cable, cut in whatever way from whichever end.</summary>
    public void Mend(int rank, Link link)
    {
        CheckCable(rank, link);
        new TestbedNetwork(_state.Plan).Mend(rank, link);
        (int, string) here = (rank, link.PlainName());
        (int, string) there = (Shape.RankOf(Shape.Step(Shape.At(rank), link)), link.Opposite().PlainName());
        Write(
            _state with
            {
                Cuts = [.. _state.Cuts.Where(cut => (cut.Rank, cut.Link) != here && (cut.Rank, cut.Link) != there)],
            }
        );
    }

    /// <summary>Mends all cables. Answers how many were cut.</summary>
    public int MendAll()
    {
        TestbedCut[] cuts = [.. _state.Cuts.DistinctBy(cut => (cut.Rank, cut.Link))];
        foreach (TestbedCut cut in cuts)
        {
            Links.TryParse(cut.Link, out Link link);
            Mend(cut.Rank, link);
        }

        return cuts.Length;
    }

    /// <inheritdoc/>
    public void Dispose() => _store.Dispose();

    private void CheckCable(int rank, Link link)
    {
        if (_state.Plan.IsSwitched)
        {
            throw new TestbedException(
                $"the servers of testbed '{_state.Plan.Name}' are at a switch: it has no cables."
            );
        }

        if (!Shape.CabledLinks(Shape.At(rank)).Contains(link))
        {
            throw new TestbedException($"server {Shape.At(rank)} has no cable {link.Name()} in a cube {Shape}.");
        }
    }

    private void Write(TestbedState state) => _store.Write(_state = state);
}
