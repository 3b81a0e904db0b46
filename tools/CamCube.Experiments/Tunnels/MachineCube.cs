using CamCube.Services.Tunnel;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Tunnels;

/// <summary>A cube in virtual time with the tunnel on every server. One thread; equal arguments give equal numbers.
/// </summary>
internal sealed class MachineCube : ITunnelMachines, IDisposable
{
    /// <summary>The frames of cards that take long ones, and of all others.</summary>
    public const int Jumbo = 9_014,
        Ordinary = 1_514;

    private readonly SimulatedCube _cube;
    private readonly SimulatedCards[] _cards;
    private readonly Action _tick;

    /// <summary>A cube whose servers know each other.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="options">Settings of the tunnel.</param>
    /// <param name="linkBitsPerSecond">Of each link, either way.</param>
    /// <param name="frameBytes">Longest frame of a link.</param>
    /// <param name="seed">Of all that is random.</param>
    /// <param name="tick">Called while time passes; may throw to end it.</param>
    public MachineCube(
        TorusShape shape,
        TunnelOptions options,
        long linkBitsPerSecond,
        int frameBytes,
        ulong seed,
        Action tick
    )
    {
        (LinkBitsPerSecond, FrameBytes, _tick) = (linkBitsPerSecond, frameBytes, tick);
        _cards = [.. Enumerable.Range(0, shape.Count).Select(static _ => new SimulatedCards())];
        _cube = new SimulatedCube(
            shape,
            TunnelServices.With(shape, _cards, options),
            new SimulatorOptions
            {
                Seed = seed,
                LinkBitsPerSecond = linkBitsPerSecond,
                MaxFrameLength = frameBytes,
                IsTracing = false,
            }
        );
        Advance(TimeSpan.FromMilliseconds(100));
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape => _cube.Shape;

    /// <summary>Rate of a link, either way.</summary>
    public long LinkBitsPerSecond { get; }

    /// <summary>Longest frame of a link.</summary>
    public int FrameBytes { get; }

    /// <summary>Bytes of the longest IP packet.</summary>
    public int Mtu => _cube.Service<TunnelService>(0).Mtu;

    /// <inheritdoc/>
    public long NowNanos => _cube.NowNanos;

    /// <inheritdoc/>
    public TunnelAddresses Addresses => _cube.Service<TunnelService>(0).Addresses;

    /// <summary>Bytes that all servers have sent on all links so far, with headers.</summary>
    public long Carried =>
        Enumerable.Range(0, Shape.Count).Sum(rank => _cube.StatusOf(rank).Links.Sum(static link => link.SentBytes));

    /// <inheritdoc/>
    public SimulatedCard CardOf(Coordinate server) => _cards[Shape.RankOf(server)].Card!;

    /// <summary>Order is not restored any more: what comes is handed on at once.</summary>
    public void HandOnAtOnce()
    {
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            _cube.Service<TunnelService>(rank).HandsOnAtOnce = true;
        }
    }

    /// <summary>Lets virtual time pass.</summary>
    public void Advance(TimeSpan time)
    {
        _tick();
        _cube.Advance(time);
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();
}
