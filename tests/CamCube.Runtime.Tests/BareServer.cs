using CamCube.Runtime.Engine;
using CamCube.Runtime.Gates;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;
using CamCube.Topology;

namespace CamCube.Runtime.Tests;

/// <summary>One server between frames of bytes, without cables, thread or clock: what comes in and goes out is the
/// test's.</summary>
internal sealed class BareServer : LinkDriver, IServerEvents, IDisposable
{
    private readonly HotArray _hot = new(1);
    private readonly ServerGate _gate;
    private readonly StepMachine _machine;
    private readonly Queue<(Link Link, byte[] Frame)> _incoming = new();
    private readonly byte[] _buffer = new byte[9_000];

    public BareServer(TorusShape shape, int rank, params ServiceDefinition[] services)
    {
        Context = new CubeContext
        {
            Shape = shape,
            Options = new ServerOptions(),
            Events = this,
            Services = services,
            Seed = 1,
            EpochUnixMicros = 1,
            IsVirtual = true,
            LocalDelayNanos = 100,
            Views = new CubeViewCache(),
        };
        _gate = new ServerGate(Context.Inbox, shape.At(rank), shape, 16)
        {
            AgentEnded = (name, e) => Ended.Add((name, e)),
        };
        Server = new ServerRuntime(Context, rank, _hot.Pointer(0), _gate, 7, commissioned: true);
        Port = new FramePort(Server);
        _machine = new StepMachine(Server);
        ServerLifecycle.Start(Server, this, 0);
        Step();
        Sent.Clear();
    }

    public CubeContext Context { get; }

    public ServerRuntime Server { get; }

    public ServerGate Gate => _gate;

    public FramePort Port { get; }

    public long Now { get; private set; }

    public bool KeepsFrames { get; set; } = true;

    public List<(Link Link, byte[] Frame)> Sent { get; } = [];

    public List<Exception> Faults { get; } = [];

    public List<(string Agent, Exception Error)> Ended { get; } = [];

    public int LargestFrame { get; set; } = 9_014;

    public override int MaxFrameLength => LargestFrame;

    public override long Transmit(Link link, Packet packet, long now)
    {
        int n = Port.Encode(packet, _buffer);
        if (KeepsFrames)
        {
            Sent.Add((link, _buffer[..n]));
        }

        return now;
    }

    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        int n = 0;
        while (_incoming.TryDequeue(out (Link Link, byte[] Frame) next))
        {
            sink.FrameArrived(next.Link, next.Frame, now);
            n++;
        }

        return n;
    }

    /// <summary>Frames come in by a cable and are worked off, until nothing is left to do.</summary>
    public void Arrive(Link link, params byte[][] frames)
    {
        Array.ForEach(frames, f => _incoming.Enqueue((link, f)));
        Step();
    }

    public void Step()
    {
        for (int i = 0; i < 100; i++)
        {
            if (_machine.Step(Now, out _) == 0)
            {
                return;
            }

            Now += 200;
        }
    }

    /// <summary>Lets so much time pass.</summary>
    public void StepUntil(long nanos)
    {
        while (_machine.Step(Now, out long deadline) > 0 || deadline <= nanos)
        {
            Now = Math.Clamp(deadline, Now, nanos);
        }

        Now = nanos;
    }

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Faults.Add(exception);

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }

    public void Dispose()
    {
        ServerLifecycle.Stop(Server, StopReason.Shutdown);
        _hot.Dispose();
    }
}
