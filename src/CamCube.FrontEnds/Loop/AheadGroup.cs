using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Protocols;
#if DEBUG
using System.IO.Hashing;
#endif

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// A few clients that receive one after the other before each of them has its turn: while the system brings the bytes
/// of the next, what a question needs comes out of memory. Waiting for that was a twelfth of a request over a Unix
/// socket (benchmarks -- memcached unix). Loop only.
/// </summary>
/// <remarks>
/// The group owns the array that its loop's clients receive into, and lends it to nobody while bytes of one who waits
/// for his turn are in it. A debug build also looks whether those bytes are still the same when the turn comes.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class AheadGroup
{
    // Eight or sixteen gain no more.
    private const int MostClients = 4;

    // Of the input, for one more: who sends much does so in large pieces.
    private const int LeastRoom = 32 << 10;
    private const int InputLength = 64 << 10;
    private readonly byte[] _input = GC.AllocateUninitializedArray<byte>(InputLength, pinned: true);
    private readonly Entry[] _entries = new Entry[MostClients];
    private int _count;
    private int _worked;
#if DEBUG
    private readonly ulong[] _sums = new ulong[MostClients];
#endif

    /// <summary>Where a client may receive in its turn, if it has nothing of its own. False: others wait for theirs
    /// with their bytes in it.</summary>
    public bool TryLend(out byte[] input)
    {
        bool isFree = _worked == _count;
        input = isFree ? _input : [];
        return isFree;
    }

    /// <summary>The clients of the first events receive. Returns how many did; after them comes somebody who is to have
    /// his turn as a whole, or there is no room.</summary>
    public int Receive(ReadOnlySpan<LoopEvent> events)
    {
        (_count, _worked) = (0, 0);
        int start = 0,
            most = Math.Min(events.Length, MostClients);
        while (_count < most && InputLength - start >= LeastRoom && events[_count].Source is LoopConnection client)
        {
            Span<byte> room = _input.AsSpan(start);
            if (!client.TryReceiveAhead(events[_count].Seen, room, out int length))
            {
                break;
            }

            Range key = length > 0 ? client.Protocol.Announce(room[..length]) : default;

            if (_count > 0)
            {
                Hint(_entries[_count - 1]);
            }

            _entries[_count] = new Entry(client, start, length, key);
            Remember(_count);
            _count++;
            start += Math.Max(length, 0);
        }

        if (_count > 0)
        {
            Hint(_entries[_count - 1]);
        }

        return _count;
    }

    /// <summary>Those that received have their turns, until all together have had enough: then the others keep what
    /// they received.</summary>
    public void Work(ConnectionTurn turn)
    {
        while (_worked < _count)
        {
            if (turn.HaveHadTurns)
            {
                Postpone();
                return;
            }

            Check(_worked);
            ref Entry entry = ref _entries[_worked++];
            entry.Client.WorkAhead(_input, entry.Start, entry.Length);
        }
    }

    /// <summary>The turn is over for all: those that had none yet keep what they received.</summary>
    public void Postpone()
    {
        while (_worked < _count)
        {
            ref Entry entry = ref _entries[_worked++];
            entry.Client.PostponeAhead(_input, entry.Start, entry.Length);
        }
    }

    [Conditional("DEBUG")]
    private void Remember(int index)
    {
#if DEBUG
        _sums[index] = SumOf(_entries[index]);
#endif
    }

    [Conditional("DEBUG")]
    private void Check(int index)
    {
#if DEBUG
        if (_sums[index] != SumOf(_entries[index]))
        {
            throw new InvalidOperationException("What a client sent was overwritten before its turn.");
        }
#endif
    }

#if DEBUG
    private ulong SumOf(in Entry entry) => XxHash3.HashToUInt64(_input.AsSpan(entry.Start, Math.Max(entry.Length, 0)));
#endif

    // The key was announced when it came, so its bucket is at hand by now.
    private void Hint(in Entry entry)
    {
        if (entry.Key.End.Value > 0)
        {
            entry.Client.Protocol.Hint(_input.AsSpan(entry.Start)[entry.Key]);
        }
    }

    /// <summary>One that received.</summary>
    /// <param name="Client">The client.</param>
    /// <param name="Start">Where its bytes are in the loop's input.</param>
    /// <param name="Length">How many, or what <see cref="LoopSocket.Receive"/> said instead.</param>
    /// <param name="Key">Of those, the key of the first question; nothing if it cannot be told at a glance.</param>
    private readonly record struct Entry(LoopConnection Client, int Start, int Length, Range Key);
}
