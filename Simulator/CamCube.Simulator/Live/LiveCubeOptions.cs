namespace CamCube.Simulator.Live;

/// <summary>The simulated cables of a live cube, and how its thread waits (<c>CamCube:Simulator</c>).</summary>
public sealed class LiveCubeOptions
{
    /// <summary>Rate of each link in bits per second. Default 10 Gbit/s: fast enough that the thread, not the cable, is
    /// the limit.</summary>
    public long LinkBitsPerSecond { get; set; } = 10_000_000_000;

    /// <summary>Propagation delay of each cable in nanoseconds, at least 100. Default 500.</summary>
    public long LinkDelayNanos { get; set; } = 500;

    /// <summary>Frames that may be on a cable and in the receiver's ring together. Default 4,096.</summary>
    public int ReceiveLimit { get; set; } = 4_096;

    /// <summary>Largest frame in bytes with its Ethernet header: 1,514 to 9,014. Default 9,014.</summary>
    public int MaxFrameLength { get; set; } = 9_014;

    /// <summary>True: servers find each other by flooding at start. False, the default: the cube starts
    /// whole.</summary>
    public bool ColdStart { get; set; }

    /// <summary>How long the thread looks for work before it sleeps, in microseconds. Default 20. Longer: fewer
    /// wake-ups (about 50 µs each) under load, more idle cost.</summary>
    public int SpinMicros { get; set; } = 20;

    /// <summary>
    /// A sleeping cube wakes for timers on multiples of this many milliseconds, 1 to 100. Default 4. Servers' timers do
    /// not march in step, so without it 27 servers wake the thread a thousand times a second; larger: less idle cost,
    /// timers later by up to this. Packets and requests do not wait for it.
    /// </summary>
    public int TimerGrainMillis { get; set; } = 4;

    /// <summary>
    /// True: threads of other loops of this process may enter the servers (<see cref="IServerGate.TryShare"/>), so that
    /// several cubes can share one front end. False, the default: only the cube's thread touches them, and there is no
    /// lock.
    /// </summary>
    public bool IsShared { get; set; }

    /// <summary>
    /// A pause of the whole process (a stopped process, a suspended laptop) longer than this many milliseconds is not
    /// made up for: time jumps. Default 50.
    /// </summary>
    public int CatchUpMillis { get; set; } = 50;

    /// <summary>
    /// Puts something in front of the links of each server when it first starts, for all its runs: captures, for
    /// instance. Fault rules stand before it. Told the rank and the Unix time of server time 0 in microseconds. Null,
    /// the default, costs nothing. What it answers runs on the cube's thread, and must pass on every call to the links
    /// inside.
    /// </summary>
    public Func<int, ulong, LinkDriver, LinkDriver>? Decorate { get; set; }

    /// <summary>Told on the cube's thread whenever the servers have run up to a time: what they did until then, they
    /// all have done. What it throws ends the cube. Null, the default: nobody.</summary>
    public Action? Advanced { get; set; }
}
