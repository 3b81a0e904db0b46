using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>When a member of a group that nobody leads stands. Loop only.</summary>
internal sealed class Candidacy(IServer server, MemberHost host, long silenceNanos)
{
    // An election may take eight times as long as it should.
    private const int MostDoublings = 4;
    private readonly Random _random = server.Random.Create("kv elections");

    /// <summary>Stands, if it is time.</summary>
    /// <returns>When to look again; the greatest number: there is a leader.</returns>
    public long Look(Member member, long now)
    {
        if (!host.Peers.IsLeaderless(member) || !host.Admission.IsIn)
        {
            (member.StandNanos, member.Stood, member.SeenBallot) = (0, 0, member.State.Ballot);
            return long.MaxValue;
        }

        if (member.SeenBallot != member.State.Ballot)
        {
            // Somebody stands. Until that one leads two disks must have synced: who stands beside it stops it. Or an
            // epoch begins, in which nobody does yet.
            bool isStanding = member.State.Ballot.Term > 0;
            member.SeenBallot = member.State.Ballot;
            member.Stood = isStanding ? Math.Min(member.Stood + 1, MostDoublings) : 0;
            member.StandNanos = isStanding ? now + PauseOf(member) : 0;
        }

        if (member.StandNanos == 0)
        {
            if (member.State.HearsLeader)
            {
                host.Step(member, GroupEvent.Of(EventKind.LeaderSilent));
            }

            int place = Math.Max(0, member.State.Position);
            member.StandNanos = now + (place * silenceNanos / 8) + _random.NextInt64(1 + (silenceNanos / 8));
        }

        if (now >= member.StandNanos)
        {
            member.StandNanos = now + PauseOf(member);
            host.Step(member, GroupEvent.Of(EventKind.ElectionDue));
        }

        return member.StandNanos;
    }

    // Where nobody is elected again and again, disks are slower than elections are allowed to be.
    private long PauseOf(Member member)
    {
        long least = silenceNanos / 2 << Math.Max(0, member.Stood - 1);
        return least + _random.NextInt64(1 + least);
    }
}
