using System.Buffers.Binary;

namespace CamCube.Swarm.Exploration;

/// <summary>
/// Four servers, what is on their way between them, and what the checks remember: as numbers into
/// <see cref="LocalSteps"/>, so that it packs to few bytes. A message stays after it was delivered, so it may come
/// again, late, or never.
/// </summary>
internal sealed class World
{
    /// <summary>Three members and a stand-in.</summary>
    public const int Servers = 4;

    /// <summary>The codes of ballots are below this.</summary>
    public const int Ballots = 2 * BallotsOfGeneration;

    /// <summary>Those of the first generation are below this.</summary>
    public const int BallotsOfGeneration = 12;

    private const int Stores = Servers + 1;

    public int[] Live { get; } = new int[Servers];

    /// <summary>What each goes on with after a crash.</summary>
    public int[] Disk { get; } = new int[Servers];

    /// <summary>Servers with something written that is not synced.</summary>
    public byte Unsynced { get; set; }

    public byte Crashes { get; set; }

    public byte SlowSyncs { get; set; }

    public byte Changes { get; set; }

    public byte Marks { get; set; }

    public byte Beats { get; set; }

    public byte Births { get; set; }

    public byte Refusals { get; set; }

    /// <summary>The server whose disk was replaced, from 1; 0 for none.</summary>
    public byte Replaced { get; set; }

    /// <summary>Writes that began (bits 0, 1), were answered (bits 2, 3); bit 4: the second began after the first was
    /// answered.</summary>
    public byte Writes { get; set; }

    /// <summary>0: not yet; 1: asked; 2: over.</summary>
    public byte Read { get; set; }

    public byte ReadServer { get; set; }

    public byte ReadBallot { get; set; }

    public byte ReadNoted { get; set; }

    /// <summary>Writes that the read has to see.</summary>
    public byte ReadSees { get; set; }

    /// <summary>The leader whose lease lasts, from 1; 0 for none.</summary>
    public byte LeaseServer { get; set; }

    /// <summary>1: somebody's promise ended while the read was asked for, so that gives no lease any more.</summary>
    public byte LeaseSpent { get; set; }

    /// <summary>Leaders that offered their place.</summary>
    public byte Offers { get; set; }

    /// <summary>Servers whose stores are lost for good, one bit each.</summary>
    public byte Lost { get; set; }

    /// <summary>The server of these that came back, from 1; 0 for none.</summary>
    public byte Returned { get; set; }

    /// <summary>Recoveries that were proposed.</summary>
    public byte Proposals { get; set; }

    /// <summary>The epoch that began by hand, from 1; 0 if none did.</summary>
    public byte Recovered { get; set; }

    /// <summary>The index at which it begins.</summary>
    public byte RecoveredAt { get; set; }

    /// <summary>The first epoch, from 1; 0 if none is born.</summary>
    public int Born { get; set; }

    /// <summary>How far any leader said that the log is applied.</summary>
    public byte Applied { get; set; }

    /// <summary>The entries ever committed, and the least ballot in which each was.</summary>
    public List<(int Entry, byte Ballot)> Committed { get; } = [];

    /// <summary>Who led in each ballot, from 1; 0 for nobody.</summary>
    public byte[] Leaders { get; } = new byte[Ballots];

    /// <summary>Whom each store voted for in each ballot, from 1; 0 for nobody.</summary>
    public byte[] Votes { get; } = new byte[Ballots * Stores];

    /// <summary>Messages that were sent, ascending.</summary>
    public List<int> Sent { get; } = [];

    public ref byte VoteOf(int ballot, int store) => ref Votes[(ballot * Stores) + store];

    public void ForgetVotes(int ballot) => Votes.AsSpan(ballot * Stores, Stores).Clear();

    /// <summary>A server goes on with another state.</summary>
    public void Fall(int server, int state)
    {
        Live[server] = state;
        Unsynced &= (byte)~(1 << server);
        LeaseServer = LeaseServer == server + 1 ? (byte)0 : LeaseServer;
        if (Read == 1 && ReadServer == server)
        {
            (Read, ReadServer, ReadBallot, ReadNoted, ReadSees) = (2, 0, 0, 0, 0);
        }
    }

    public void CopyFrom(World from)
    {
        from.Live.CopyTo(Live, 0);
        from.Disk.CopyTo(Disk, 0);
        from.Leaders.CopyTo(Leaders, 0);
        from.Votes.CopyTo(Votes, 0);
        (Unsynced, Crashes, SlowSyncs, Changes) = (from.Unsynced, from.Crashes, from.SlowSyncs, from.Changes);
        (Marks, Beats, Births, Refusals) = (from.Marks, from.Beats, from.Births, from.Refusals);
        (Replaced, Writes, Read, ReadServer) = (from.Replaced, from.Writes, from.Read, from.ReadServer);
        (ReadBallot, ReadNoted, ReadSees) = (from.ReadBallot, from.ReadNoted, from.ReadSees);
        (LeaseServer, LeaseSpent, Offers) = (from.LeaseServer, from.LeaseSpent, from.Offers);
        (Born, Applied) = (from.Born, from.Applied);
        (Lost, Returned, Proposals) = (from.Lost, from.Returned, from.Proposals);
        (Recovered, RecoveredAt) = (from.Recovered, from.RecoveredAt);
        Committed.Clear();
        Committed.AddRange(from.Committed);
        Sent.Clear();
        Sent.AddRange(from.Sent);
    }

    /// <summary>Writes all of it: equal bytes for equal worlds.</summary>
    public int Pack(Span<byte> to)
    {
        int at = 0;
        for (int server = 0; server < Servers; server++)
        {
            at = Put(to, at, Live[server]);
            at = Put(to, at, Disk[server]);
        }

        ReadOnlySpan<byte> small =
        [
            Unsynced,
            Crashes,
            SlowSyncs,
            Changes,
            Marks,
            Beats,
            Births,
            Refusals,
            Replaced,
            Writes,
            Read,
            ReadServer,
            ReadBallot,
            ReadNoted,
            ReadSees,
            (byte)Born,
            Applied,
            LeaseServer,
            LeaseSpent,
            Offers,
            Lost,
            Returned,
            Proposals,
            Recovered,
            RecoveredAt,
        ];
        small.CopyTo(to[at..]);
        at += small.Length;
        at = PutSome(to, at, Leaders);
        at = PutSome(to, at, Votes);
        to[at++] = (byte)Committed.Count;
        foreach ((int entry, byte ballot) in Committed)
        {
            at = Put(to, at, entry);
            to[at++] = ballot;
        }

        to[at++] = (byte)Sent.Count;
        foreach (int message in Sent)
        {
            at = Put(to, at, message);
        }

        return at;
    }

    /// <summary>Reads what <see cref="Pack"/> wrote.</summary>
    public void Unpack(ReadOnlySpan<byte> from)
    {
        int at = 0;
        for (int server = 0; server < Servers; server++)
        {
            Live[server] = Take(from, ref at);
            Disk[server] = Take(from, ref at);
        }

        (Unsynced, Crashes, SlowSyncs, Changes) = (from[at], from[at + 1], from[at + 2], from[at + 3]);
        (Marks, Beats, Births, Refusals) = (from[at + 4], from[at + 5], from[at + 6], from[at + 7]);
        (Replaced, Writes, Read, ReadServer) = (from[at + 8], from[at + 9], from[at + 10], from[at + 11]);
        (ReadBallot, ReadNoted, ReadSees) = (from[at + 12], from[at + 13], from[at + 14]);
        (Born, Applied) = (from[at + 15], from[at + 16]);
        (LeaseServer, LeaseSpent, Offers) = (from[at + 17], from[at + 18], from[at + 19]);
        (Lost, Returned, Proposals) = (from[at + 20], from[at + 21], from[at + 22]);
        (Recovered, RecoveredAt) = (from[at + 23], from[at + 24]);
        at += 25;
        TakeSome(from, ref at, Leaders);
        TakeSome(from, ref at, Votes);
        Committed.Clear();
        for (int left = from[at++]; left > 0; left--)
        {
            Committed.Add((Take(from, ref at), from[at++]));
        }

        Sent.Clear();
        for (int left = from[at++]; left > 0; left--)
        {
            Sent.Add(Take(from, ref at));
        }
    }

    // Numbers are below 2^24: there are fewer states of one server and messages than that.
    private static int Put(Span<byte> to, int at, int value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(to[at..], (ushort)value);
        to[at + 2] = checked((byte)(value >> 16));
        return at + 3;
    }

    private static int Take(ReadOnlySpan<byte> from, ref int at)
    {
        int value = BinaryPrimitives.ReadUInt16LittleEndian(from[at..]) | (from[at + 2] << 16);
        at += 3;
        return value;
    }

    private static int PutSome(Span<byte> to, int at, byte[] values)
    {
        int count = at++;
        to[count] = 0;
        for (int i = 0; i < values.Length; i++)
        {
            if (values[i] != 0)
            {
                to[count]++;
                to[at++] = (byte)i;
                to[at++] = values[i];
            }
        }

        return at;
    }

    private static void TakeSome(ReadOnlySpan<byte> from, ref int at, byte[] values)
    {
        Array.Clear(values);
        for (int left = from[at++]; left > 0; left--)
        {
            values[from[at]] = from[at + 1];
            at += 2;
        }
    }
}
