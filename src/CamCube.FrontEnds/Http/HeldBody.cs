using System.Buffers;
using System.Numerics;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// A body that is in memory as a whole, in a pooled array that grows with what is written and not with what a client
/// announces. Its room is taken from the bytes that all bodies of this kind of front end may have
/// (<see cref="HttpFrontEndOptions.BodyMemory"/>). One user at a time, any thread.
/// </summary>
/// <remarks>Not disposed, its room is never given back. Where something may still write into it (a call whose service
/// was stopped meanwhile), <see cref="Abandon"/> comes first: the array then goes to nobody else.</remarks>
public sealed class HeldBody : IBufferWriter<byte>, IDisposable
{
    private const int Least = 4_096;
    private readonly BodyBudget _budget;
    private byte[] _bytes = [];
    private bool _isLent;

    internal HeldBody(BodyBudget budget) => _budget = budget;

    /// <summary>Bytes written.</summary>
    public int Length { get; private set; }

    /// <summary>There was no room for what was written, and it is not whole: to be refused, 503.</summary>
    public bool LacksRoom { get; private set; }

    /// <summary>What was written; valid until the next write, or the end.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if (LacksRoom)
        {
            return;
        }

        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_bytes.Length - Length));
        Length += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int wanted = Math.Max(sizeHint, 1);
        if (!LacksRoom && wanted > _bytes.Length - Length)
        {
            Grow(wanted);
        }

        // Who writes needs not know: what there is no room for goes nowhere.
        return LacksRoom ? new byte[Math.Max(wanted, Least)] : _bytes.AsMemory(Length);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Forgets what was written. The room stays.</summary>
    public void Clear() => Length = 0;

    /// <summary>Somebody may still write into its array or read it: it does not go back to the pool.</summary>
    public void Abandon() => _isLent = true;

    /// <summary>Gives room and array back.</summary>
    public void Dispose()
    {
        byte[] bytes = _bytes;
        (_bytes, Length, LacksRoom) = ([], 0, true);
        Give(bytes);
    }

    private void Grow(int wanted)
    {
        int length = (int)
            BitOperations.RoundUpToPowerOf2((uint)Math.Max(Least, Math.Max(checked(Length + wanted), _bytes.Length)));
        if (!_budget.TryTake(length))
        {
            LacksRoom = true;
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(length),
            before = _bytes;
        before.AsSpan(0, Length).CopyTo(larger);
        _bytes = larger;
        Give(before);
    }

    private void Give(byte[] bytes)
    {
        if (bytes.Length > 0)
        {
            _budget.Add(-bytes.Length);
            if (!_isLent)
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
        }
    }
}
