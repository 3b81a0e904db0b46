using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>
/// The packets of one thread, shared by all servers that this thread drives. Where several threads simulate one cube,
/// packets change from one's pool to another's with their owner, and the pools know each other (<see cref="Join"/>).
/// Storage grows in chunks while traffic grows and is then reused (0 bytes per packet in steady state); how many
/// packets a server may have is the server's budget, not the pool's.
/// </summary>
internal sealed class PacketPool
{
    private const int FewestMore = 64;
    private const int Quarantine = 64;
    private static readonly int[] SizeClasses = [256, 2_048, 9_216, 65_536];
    private readonly BodyBuffer?[] _freeBodies = new BodyBuffer?[SizeClasses.Length];
    private Packet[] _free = [];

    // What this pool made, wherever it is now. Replaced, never changed: pools of other threads read it.
    private volatile Packet[] _all = [];
    private PacketPool[] _joined;
    private int _freeCount;
    private int _bodiesOut;
    private bool _isAbandoned;
#if DEBUG
    private readonly Queue<Packet> _quarantine = new(Quarantine + 1);
#endif

    /// <summary>A pool of its own.</summary>
    public PacketPool() => _joined = [this];

    /// <summary>Largest body a pooled buffer holds.</summary>
    public static int MaxBodyBytes => SizeClasses[^1];

    /// <summary>Packets owned by somebody: zero at the end of every test.</summary>
    public int Outstanding
    {
        get
        {
            int waiting = 0;
#if DEBUG
            waiting = _quarantine.Count;
#endif
            return _all.Length - _freeCount - waiting;
        }
    }

    /// <summary>Bodies referenced by somebody.</summary>
    public int OutstandingBodies => _bodiesOut;

    /// <summary>Packets made so far.</summary>
    public int Made => _all.Length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Packet Rent(uint owner)
    {
        if (_freeCount == 0)
        {
            Grow();
        }

        Packet packet = _free[--_freeCount];
        packet.Move(0, owner);
        return packet;
    }

    /// <summary>Takes the packet back from the owner that is named; another owner is an error also in
    /// Release.</summary>
    public void Free(Packet packet, uint from)
    {
        packet.Move(from, 0);
        if (packet.Buffer is { } body)
        {
            packet.Buffer = null;
            Release(body);
        }

        packet.BodyBytes = 0;
        packet.VirtualBytes = 0;
#if DEBUG
        System
            .Runtime.InteropServices.MemoryMarshal.CreateSpan(ref packet.HeaderStart(), Packet.MaxHeaderLength)
            .Fill(0xDD);
        _quarantine.Enqueue(packet);
        if (_quarantine.Count <= Quarantine)
        {
            return;
        }

        packet = _quarantine.Dequeue();
#endif
        if (_freeCount == _free.Length)
        {
            // More packets came from other pools than went to them.
            Array.Resize(ref _free, Math.Max(FewestMore, _freeCount * 2));
        }

        _free[_freeCount++] = packet;
    }

    public BodyBuffer RentBody(int length)
    {
        int c = 0;
        while (SizeClasses[c] < length)
        {
            c++;
        }

        BodyBuffer? body = _freeBodies[c];
        if (body is null)
        {
            body = new BodyBuffer(this, c, SizeClasses[c]);
        }
        else
        {
            _freeBodies[c] = body.NextFree;
        }

        body.References = 1;
        _bodiesOut++;
        return body;
    }

    public void Release(BodyBuffer body)
    {
        if (--body.References > 0)
        {
            return;
        }

        if (body.References < 0)
        {
            throw new OwnershipException("A packet body was freed twice.");
        }

        _bodiesOut--;
        body.NextFree = _freeBodies[body.SizeClass];
        _freeBodies[body.SizeClass] = body;
    }

    /// <summary>Makes pools of several threads one: what an owner has is then found in all of them. Before anything is
    /// rented.</summary>
    public static void Join(PacketPool[] pools)
    {
        foreach (PacketPool pool in pools)
        {
            pool._joined = pools;
        }
    }

    /// <summary>
    /// On the thread that gives a packet to another thread: reference counts belong to one thread, so a body that other
    /// packets have too stays, and the packet gets one of its own.
    /// </summary>
    public void PrepareToLeave(Packet packet)
    {
        if (packet.Buffer is { References: > 1 } body)
        {
            packet.Buffer = body.CopyForWrite(ref packet.BodyOffset, packet.BodyBytes);
        }

        if (packet.Buffer is not null)
        {
            _bodiesOut--;
        }
    }

    /// <summary>On the thread that gets a packet: it is this pool's from now on.</summary>
    public void Adopt(Packet packet)
    {
        if (packet.Buffer is { } body)
        {
            body.Pool = this;
            _bodiesOut++;
        }
    }

    /// <summary>All servers end: nobody needs to look for what each of them had.</summary>
    public void Abandon() => _isAbandoned = true;

    /// <summary>Takes back all that one owner has. O(pool), rare; because of it no packet needs to be in a list of its
    /// holder's.</summary>
    public int Reclaim(uint owner)
    {
        if (_isAbandoned)
        {
            return 0;
        }

        int n = 0;
        foreach (PacketPool pool in _joined)
        {
            // An owner's packets stay the same while its thread looks for them, whatever other threads do with theirs.
            foreach (Packet packet in pool._all)
            {
                if (packet.OwnerWord == owner)
                {
                    Free(packet, owner);
                    n++;
                }
            }
        }

        return n;
    }

    /// <summary>How many packets each owner word stands on. Any thread: each number is right by itself.</summary>
    public Dictionary<uint, int> CountByOwner()
    {
        var counts = new Dictionary<uint, int>();
        foreach (PacketPool pool in _joined)
        {
            foreach (Packet packet in pool._all)
            {
                if (packet.OwnerWord is not 0 and uint owner)
                {
                    System.Runtime.InteropServices.CollectionsMarshal.GetValueRefOrAddDefault(counts, owner, out _)++;
                }
            }
        }

        return counts;
    }

    /// <summary>Packets per owner, for the message of a failed leak check: who has most comes first.</summary>
    /// <param name="nameOf">Names an owner by the server's rank and the service's slot; null: by these numbers.</param>
    /// <param name="most">Lines at most.</param>
    public string DescribeOutstanding(Func<int, int, string>? nameOf = null, int most = 20)
    {
        var lines = _joined
            .SelectMany(pool => pool._all)
            .Where(packet => packet.OwnerWord != 0)
            .GroupBy(packet => packet.OwnerWord)
            .OrderByDescending(group => group.Count())
            .ThenBy(group => group.Key)
            .Take(most)
            .Select(group =>
            {
                string owner = nameOf is null ? OwnerWords.Describe(group.Key) : OwnerWords.Describe(group.Key, nameOf);
                Packet first = group.First();
                return $"{group.Count()} x {owner}; the first is packet {first.IdWord:x} of service "
                    + $"{first.ServiceWord:x4}";
            });
        return string.Join('\n', lines);
    }

    private void Grow()
    {
        int made = _all.Length,
            more = Math.Max(FewestMore, made / 2);
        var all = new Packet[made + more];
        _all.CopyTo(all, 0);
        if (_free.Length < all.Length)
        {
            Array.Resize(ref _free, all.Length);
        }

        for (int i = made; i < all.Length; i++)
        {
            all[i] = new Packet();
            _free[_freeCount++] = all[i];
        }

        _all = all;
    }
}
