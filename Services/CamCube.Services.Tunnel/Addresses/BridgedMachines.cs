using System.Numerics;

namespace CamCube.Services.Tunnel.Addresses;

/// <summary>
/// The machines behind a bridge that were heard of, by their Ethernet addresses, in places of which each address has
/// eight. A new one takes an empty place, that of one that was not heard of for long, or of the oldest that nobody
/// answers: so who makes up addresses does not drive out those that speak with servers. Loop only; allocates nothing
/// but at the start.
/// </summary>
internal sealed class BridgedMachines
{
    private const int Ways = 8;
    private readonly Place[] _places;
    private readonly long _timeNanos;
    private readonly ulong _seed;

    /// <summary>Places, all empty.</summary>
    /// <param name="count">How many at most.</param>
    /// <param name="time">After how long without a frame one is forgotten.</param>
    /// <param name="seed">Who has which places; nobody outside knows it.</param>
    public BridgedMachines(int count, TimeSpan time, ulong seed)
    {
        _places = new Place[Math.Max(1, count / Ways) * Ways];
        (_timeNanos, _seed) = ((long)time.TotalNanoseconds, seed | 1);
    }

    /// <summary>A machine sent something. False: it is new, and there is no place for it.</summary>
    public bool Hear(ulong ethernet, long nowNanos)
    {
        Span<Place> places = PlacesOf(ethernet);
        int free = -1;
        for (int i = 0; i < places.Length; i++)
        {
            ref Place place = ref places[i];
            if (place.Ethernet == ethernet)
            {
                place.IsAnswered &= !IsOld(place, nowNanos);
                place.HeardNanos = nowNanos;
                return true;
            }

            free = IsBetter(place, free < 0 ? null : places[free], nowNanos) ? i : free;
        }

        if (free >= 0)
        {
            places[free] = new Place { Ethernet = ethernet, HeardNanos = nowNanos };
        }

        return free >= 0;
    }

    /// <summary>Something is sent to a machine. False: it is not known, or was not heard of for long.</summary>
    public bool TryAnswer(ulong ethernet, long nowNanos)
    {
        foreach (ref Place place in PlacesOf(ethernet))
        {
            if (place.Ethernet == ethernet && !IsOld(place, nowNanos))
            {
                return place.IsAnswered = true;
            }
        }

        return false;
    }

    /// <summary>How many are known.</summary>
    public int Count(long nowNanos)
    {
        int count = 0;
        foreach (ref Place place in _places.AsSpan())
        {
            count += place.Ethernet != 0 && !IsOld(place, nowNanos) ? 1 : 0;
        }

        return count;
    }

    // Empty or forgotten before the oldest that nobody answers; others stay.
    private bool IsBetter(in Place place, Place? than, long nowNanos)
    {
        bool isFree = place.Ethernet == 0 || IsOld(place, nowNanos);
        return (isFree || !place.IsAnswered)
            && (than is not { } other || (place.Ethernet == 0 ? long.MinValue : place.HeardNanos) < other.HeardNanos);
    }

    private bool IsOld(in Place place, long nowNanos) => nowNanos - place.HeardNanos > _timeNanos;

    private Span<Place> PlacesOf(ulong ethernet)
    {
        ulong mixed = BitOperations.RotateLeft(ethernet * _seed, 32) * 0x9E37_79B9_7F4A_7C15;
        int at = (int)((UInt128)mixed * (uint)(_places.Length / Ways) >> 64);
        return _places.AsSpan(at * Ways, Ways);
    }

    private struct Place
    {
        public ulong Ethernet;
        public long HeardNanos;
        public bool IsAnswered;
    }
}
