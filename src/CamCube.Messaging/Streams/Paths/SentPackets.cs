namespace CamCube.Messaging.Streams.Paths;

/// <summary>The packets sent on one path, by their numbers, with what they carried. Two rings that grow and are used
/// again.</summary>
internal sealed class SentPackets
{
    private Entry[] _entries = new Entry[16];
    private SentFrame[] _frames = new SentFrame[16];
    private long _firstFrame;
    private long _nextFrame;

    /// <summary>Lowest number that is remembered.</summary>
    public long First { get; private set; }

    /// <summary>Number of the next packet.</summary>
    public long Next { get; private set; }

    /// <summary>Packets of which nothing is known.</summary>
    public int InFlight { get; private set; }

    /// <summary>Remembers a frame of the packet that is being made.</summary>
    public void Add(in SentFrame frame)
    {
        if (_nextFrame - _firstFrame == _frames.Length)
        {
            _frames = Grow(_frames, _firstFrame, _nextFrame);
        }

        _frames[_nextFrame++ & (_frames.Length - 1)] = frame;
    }

    /// <summary>The packet is made.</summary>
    /// <param name="nowNanos">When it is sent.</param>
    /// <param name="frames">How many frames were added for it.</param>
    public void Close(long nowNanos, int frames)
    {
        if (Next - First == _entries.Length)
        {
            _entries = Grow(_entries, First, Next);
        }

        _entries[Next++ & (_entries.Length - 1)] = new Entry(nowNanos, _nextFrame - frames, frames);
        InFlight++;
    }

    public PacketFate FateOf(long number) => At(number).Fate;

    public long SentNanosOf(long number) => At(number).SentNanos;

    public int FramesOf(long number) => At(number).Frames;

    public ref readonly SentFrame FrameOf(long number, int index) =>
        ref _frames[(At(number).FirstFrame + index) & (_frames.Length - 1)];

    /// <summary>Notes what became of a packet.</summary>
    public void Settle(long number, PacketFate fate)
    {
        ref Entry entry = ref At(number);
        InFlight -= entry.Fate == PacketFate.InFlight ? 1 : 0;
        entry.Fate = fate;
    }

    /// <summary>Forgets packets whose end is known, the oldest first; a lost one only below a number, since it may
    /// still
    /// come.</summary>
    public void Forget(long lostBelow)
    {
        while (First < Next)
        {
            ref Entry entry = ref At(First);
            if (entry.Fate == PacketFate.InFlight || (entry.Fate == PacketFate.Lost && First >= lostBelow))
            {
                return;
            }

            _firstFrame = entry.FirstFrame + entry.Frames;
            First++;
        }
    }

    private ref Entry At(long number) => ref _entries[number & (_entries.Length - 1)];

    private static T[] Grow<T>(T[] ring, long first, long next)
    {
        var larger = new T[2 * ring.Length];
        for (long i = first; i < next; i++)
        {
            larger[i & (larger.Length - 1)] = ring[i & (ring.Length - 1)];
        }

        return larger;
    }

    private struct Entry(long sentNanos, long firstFrame, int frames)
    {
        public readonly long SentNanos = sentNanos,
            FirstFrame = firstFrame;
        public readonly int Frames = frames;
        public PacketFate Fate;
    }
}
