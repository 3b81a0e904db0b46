using System.Numerics;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Tracing;

namespace CamCube.Runtime.Engine;

/// <summary>
/// A random stream derived from (seed, server, service, purpose), so that adding a server or a service does not change
/// another's draws: the server counts by its coordinate, because ranks change when an axis grows.
/// xoshiro256** seeded by splitmix64; draws go into the trace hash of the server. Loop only.
/// </summary>
internal sealed class SeededRandom : Random
{
    private readonly ServerRuntime? _server;
    private readonly ushort _service;
    private ulong _s0;
    private ulong _s1;
    private ulong _s2;
    private ulong _s3;

    public SeededRandom(ServerRuntime server, ushort service, string purpose)
        : this(server.Context.Seed, server.SelfPacked, service, purpose) => (_server, _service) = (server, service);

    /// <summary>A stream that belongs to no server and goes into no trace: for what drives a whole
    /// simulation.</summary>
    public SeededRandom(ulong seed, string purpose)
        : this(seed, uint.MaxValue, 0, purpose) { }

    private SeededRandom(ulong seed, ulong server, ushort service, string purpose)
        : base(0)
    {
        ulong state = seed;
        state = SplitMix(ref state) ^ server;
        state = SplitMix(ref state) ^ service;
        foreach (char c in purpose)
        {
            state = SplitMix(ref state) ^ c;
        }

        (_s0, _s1, _s2, _s3) = (SplitMix(ref state), SplitMix(ref state), SplitMix(ref state), SplitMix(ref state));
    }

    public override int Next() => Next(int.MaxValue);

    public override int Next(int maxValue) => (int)NextInt64(maxValue);

    public override int Next(int minValue, int maxValue) => (int)NextInt64(minValue, maxValue);

    public override long NextInt64() => NextInt64(long.MaxValue);

    public override long NextInt64(long maxValue)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxValue);
        return (long)Below((ulong)maxValue);
    }

    public override long NextInt64(long minValue, long maxValue)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minValue, maxValue);
        return minValue + (long)Below((ulong)(maxValue - minValue));
    }

    public override double NextDouble() => (Draw() >> 11) * (1.0 / (1UL << 53));

    public override float NextSingle() => (Draw() >> 40) * (1.0f / (1U << 24));

    public override void NextBytes(byte[] buffer) => NextBytes(buffer.AsSpan());

    public override void NextBytes(Span<byte> buffer)
    {
        while (buffer.Length >= 8)
        {
            BitConverter.TryWriteBytes(buffer, Draw());
            buffer = buffer[8..];
        }

        ulong rest = buffer.IsEmpty ? 0 : Draw();
        for (int i = 0; i < buffer.Length; i++)
        {
            buffer[i] = (byte)(rest >> (8 * i));
        }
    }

    protected override double Sample() => NextDouble();

    // Multiply-shift: the bias is below 2^-32 for every range that is used here, and one draw per number keeps streams
    // aligned.
    private ulong Below(ulong range) => range == 0 ? 0 : Math.BigMul(Draw(), range, out _);

    private ulong Draw()
    {
        ulong result = BitOperations.RotateLeft(_s1 * 5, 7) * 9;
        ulong t = _s1 << 17;
        _s2 ^= _s0;
        _s3 ^= _s1;
        _s1 ^= _s2;
        _s0 ^= _s3;
        _s2 ^= t;
        _s3 = BitOperations.RotateLeft(_s3, 45);
        // Of a run that has ended nothing is kept: the hot block may be the next run's, or gone.
        if (_server is { IsTracing: true, IsStopped: false })
        {
            ref HotState hot = ref _server.Hot.Ref;
            hot.Hash = TraceHash.Mix(hot.Hash, result ^ ((ulong)TraceHash.Kind.Draw << 56));
            _server.Recorder?.Draw(_server.Now, _service, result, hot.Hash);
        }

        return result;
    }

    private static ulong SplitMix(ref ulong state)
    {
        ulong z = state += 0x9E37_79B9_7F4A_7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }
}
