using System.Runtime.Versioning;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// A few clients that receive one after the other before each of them has its turn: while the system brings the bytes of the next, what a
/// command needs comes out of memory. Waiting for that was a twelfth of a request over a Unix socket (benchmarks -- memcached unix). Loop only.
/// </summary>
/// <param name="loop">Whose input they share.</param>
[SupportedOSPlatform("linux")]
internal sealed class AheadGroup(ClientLoop loop)
{
    // Eight or sixteen gain no more.
    private const int MostClients = 4;

    // Of the input, for one more: who sends much does so in large pieces.
    private const int LeastRoom = 32 << 10;
    private readonly Entry[] _entries = new Entry[MostClients];
    private int _count;
    private int _worked;

    /// <summary>The clients of the first events receive. Returns how many did; after them comes somebody who is to have his turn as a whole, or
    /// there is no room.</summary>
    internal int Receive(ReadOnlySpan<LoopEvent> events)
    {
        (_count, _worked) = (0, 0);
        int start = 0, most = Math.Min(events.Length, MostClients);
        while (_count < most && loop.Input.Length - start >= LeastRoom && events[_count].Source is LoopClient client)
        {
            Span<byte> room = loop.Input.AsSpan(start);
            if (!client.TryReceiveAhead(events[_count].Seen, room, out int length))
                break;
            Range key = length > 0 && loop.TakesHints ? client.KeyAhead(room[..length]) : default;
            if (key.End.Value > 0)
                loop.Cache?.Announce(room[key]);
            if (_count > 0)
                Hint(_entries[_count - 1]);
            _entries[_count++] = new Entry(client, start, length, key);
            start += Math.Max(length, 0);
        }

        if (_count > 0)
            Hint(_entries[_count - 1]);
        return _count;
    }

    /// <summary>Those that received have their turns.</summary>
    internal void Work()
    {
        while (_worked < _count)
        {
            ref Entry entry = ref _entries[_worked++];
            entry.Client.WorkAhead(entry.Start, entry.Length);
        }
    }

    /// <summary>A turn has failed for all: those that had none yet keep what they received.</summary>
    internal void Postpone()
    {
        while (_worked < _count)
        {
            ref Entry entry = ref _entries[_worked++];
            entry.Client.PostponeAhead(entry.Start, entry.Length);
        }
    }

    // The key was announced when it came, so its bucket is at hand by now.
    private void Hint(in Entry entry)
    {
        if (entry.Key.End.Value > 0)
            loop.Cache?.Hint(loop.Input.AsSpan(entry.Start)[entry.Key]);
    }

    /// <summary>One that received.</summary>
    /// <param name="Client">The client.</param>
    /// <param name="Start">Where its bytes are in the loop's input.</param>
    /// <param name="Length">How many, or what <see cref="LoopSocket.Receive"/> said instead.</param>
    /// <param name="Key">Of those, the key of the first command; nothing if it cannot be told at a glance.</param>
    private readonly record struct Entry(LoopClient Client, int Start, int Length, Range Key);
}
