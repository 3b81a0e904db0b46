namespace CamCube.Services.Tunnel.Sending;

/// <summary>The places of all packets that wait to leave a server, for whichever destination: queues are chains of
/// them. Loop only; allocates nothing but at the start.</summary>
internal sealed class WaitingRoom
{
    /// <summary>No place.</summary>
    public const int None = -1;

    private readonly Place[] _places;
    private int _free;

    /// <summary>Room for so many packets.</summary>
    public WaitingRoom(int places)
    {
        _places = new Place[places];
        for (int i = 0; i < places; i++)
        {
            _places[i].Next = i + 1 < places ? i + 1 : None;
        }
    }

    /// <summary>Gives a packet a place. There is one.</summary>
    public int Put(Packet packet, long nowNanos)
    {
        int at = _free;
        ref Place place = ref _places[at];
        _free = place.Next;
        place = new Place
        {
            Packet = packet,
            SinceNanos = nowNanos,
            Next = None,
        };
        return at;
    }

    /// <summary>Chains a place behind another.</summary>
    public void Chain(int before, int behind) => _places[before].Next = behind;

    /// <summary>Frees a place: who was there since when, and the place behind it in its chain.</summary>
    public Packet Leave(int at, out long sinceNanos, out int next)
    {
        ref Place place = ref _places[at];
        Packet packet = place.Packet!;
        (sinceNanos, next) = (place.SinceNanos, place.Next);
        place = new Place { Next = _free };
        _free = at;
        return packet;
    }

    private struct Place
    {
        public Packet? Packet;
        public long SinceNanos;
        public int Next;
    }
}
