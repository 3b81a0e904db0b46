using System.Collections.Concurrent;
using System.Net;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Loop;
using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;

namespace CamCube.FrontEnds.Tests;

/// <summary>Lines served by server 0 of a live cube, in its loop or on pool threads.</summary>
internal sealed class LineBed : IServerEvents, IAsyncDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly LiveCube _cube;
    private readonly ConcurrentQueue<string> _faults = new();
    private readonly ConcurrentDictionary<string, TaskCompletionSource<int>> _waits = new();

    public LineBed(bool isInLoop, ConnectionOptions options, int maxUnread = 4096, int answersPerTurn = 1_024)
    {
        Assert.SkipUnless(!isInLoop || OperatingSystem.IsLinux(), "Loops wait for sockets on Linux only.");
        _cube = new LiveCube(
            new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(typeof(QuietService), _ => new QuietService())],
            new ServerOptions(),
            this,
            new LiveCubeOptions { SpinMicros = 20 },
            seed: 1,
            TimeProvider.System
        );
        IServerGate gate = _cube.GateOf(0);
        Server = new ConnectionServer<IQuiet>(
            new ConnectionTerms<IQuiet>
            {
                Name = "lines",
                Protocol = (turn, owner) => new LineProtocol(turn, owner, WaitFor, Said),
                Options = options,
                Gates = isInLoop ? [gate] : [new ThreadGate(gate)],
                Logger = Log,
                Time = TimeProvider.System,
                Refusal = "full\n"u8.ToArray(),
                MaxUnread = maxUnread,
                AnswersPerTurn = answersPerTurn,
                MaxAnswer = AbuseTests.MaxAnswer,
            }
        );
    }

    public FailureLog Log { get; } = new();

    public ConnectionServer<IQuiet> Server { get; }

    /// <summary>The lines that were said, in the order of all clients together.</summary>
    public ConcurrentQueue<string> Said { get; } = new();

    /// <summary>The clients in the server's loop.</summary>
    [SupportedOSPlatform("linux")]
    public ConnectionLoop Loop => Assert.IsType<LoopListener<IQuiet>>(Assert.Single(Server.Listeners)).Loop;

    public IReadOnlyList<string> Faults => [.. _faults];

    public async Task StartAsync(bool isInLoop)
    {
        await _cube.StartAsync(default).AsTask().WaitAsync(TimeOut);
        Server.Start(new FrontEndEndpoint(IPAddress.Loopback, 0));
        Assert.Equal(isInLoop, Server.IsInLoop);
    }

    public Task<LineClient> ConnectAsync() => LineClient.ConnectAsync(Server.Port);

    /// <summary>The question of this line ends when this is set.</summary>
    public TaskCompletionSource<int> WaitFor(string line) =>
        _waits.GetOrAdd(line, _ => new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Does something while the loop stands still, so that it finds all of it at once.</summary>
    public async Task WhileHeldAsync(Func<Task> act)
    {
        using SemaphoreSlim held = new(0),
            over = new(0);
        ValueTask<int> holding = _cube
            .GateOf(0)
            .CallAsync<IQuiet, (SemaphoreSlim Held, SemaphoreSlim Over), int>(
                static (_, signals) =>
                {
                    signals.Held.Release();
                    Assert.True(signals.Over.Wait(TimeOut));
                    return ValueTask.FromResult(0);
                },
                (held, over)
            );
        Assert.True(await held.WaitAsync(TimeOut));
        await act();
        over.Release();
        await holding;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (TaskCompletionSource<int> wait in _waits.Values)
        {
            wait.TrySetResult(0);
        }

        await Server.DisposeAsync().AsTask().WaitAsync(TimeOut);
        await _cube.DisposeAsync().AsTask().WaitAsync(TimeOut);
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        _faults.Enqueue($"{service}: {exception.Message}");

    void IServerEvents.ServiceRestarted(Coordinate server, string service) { }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change) { }
}
