using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Reads of the groups that this server leads, and what says that nothing was changed: answered once what they saw is
/// visible and a majority has confirmed that nobody else leads, one question for all of a step. Where a group has
/// leases what a majority confirmed lately is enough. Loop only.
/// </summary>
internal sealed class LeaderReads(IServer server, Answerer answers, Lister lister, long repeatNanos)
{
    private Action<object?>? _ask;

    /// <summary>The groups.</summary>
    public MemberHost Host { get; set; } = null!;

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake { get; set; }

    /// <summary>Those that wait.</summary>
    public int Open { get; private set; }

    /// <summary>Answers one as soon as that may be.</summary>
    public void Read(Member member, GroupWork work, in WaitingRead read)
    {
        if (TrySay(member, read))
        {
            return;
        }

        Open++;
        work.Reads.Add(read);
        if (!work.IsAsking)
        {
            AskLater(member, work);
        }
    }

    /// <summary>This server leads the group no more.</summary>
    public void Refuse(GroupWork work, TimeSpan pause)
    {
        foreach (WaitingRead read in work.Reads)
        {
            Open--;
            answers.Refuse(read.Waiter, pause);
        }
    }

    /// <summary>Too few others are there for any answer.</summary>
    public void Leave(GroupWork work, TimeSpan pause)
    {
        foreach (WaitingRead read in work.Reads)
        {
            Open--;
            answers.RefuseAlone(read.Waiter, pause);
        }

        work.Reads.Clear();
    }

    /// <summary>More is visible.</summary>
    public void Shown(Member member, GroupWork work)
    {
        if (work.Reads.Count > 0 && !work.IsAsking)
        {
            AskLater(member, work);
        }
    }

    /// <summary>Those that wait belong to a round.</summary>
    public void ReadNoted(Member member, ulong round)
    {
        if (member.Work is GroupWork work)
        {
            (work.IsAsking, work.RoundNanos) = (true, server.NowNanos);
            foreach (ref WaitingRead read in CollectionsMarshal.AsSpan(work.Reads))
            {
                read.Round = read.Round == 0 && read.After <= member.Shown ? round : read.Round;
            }
        }
    }

    /// <summary>Those up to a round may be answered.</summary>
    public void ReadConfirmed(Member member, ulong round)
    {
        if (member.Work is not GroupWork work)
        {
            return;
        }

        work.IsAsking = false;
        int kept = 0;
        bool isMore = false;
        for (int i = 0; i < work.Reads.Count; i++)
        {
            WaitingRead read = work.Reads[i];
            if (read.Round != 0 && read.Round <= round)
            {
                Open--;
                Say(member, read, Answerer.Look(member, read.Key, Host));
            }
            else
            {
                work.Reads[kept++] = read;
                isMore |= read.After <= member.Shown;
            }
        }

        work.Reads.RemoveRange(kept, work.Reads.Count - kept);
        if (isMore)
        {
            AskLater(member, work);
        }
    }

    /// <summary>The question or its answers may be lost: it is asked again. Another round confirms those before it,
    /// too.</summary>
    public void Look(Member member, GroupWork work)
    {
        if (work.Reads.Count > 0 && (!work.IsAsking || server.NowNanos - work.RoundNanos > repeatNanos))
        {
            Ask(member);
        }
    }

    // What is answered is looked at first, and the clock afterwards: it says that nobody else led until then.
    private bool TrySay(Member member, in WaitingRead read)
    {
        if (!member.State.MayLease || read.After > member.Shown || member.Shown < member.State.Applied)
        {
            return false;
        }

        SeenValue seen = Answerer.Look(member, read.Key, Host);
        if (!Host.Leases.IsValid(member))
        {
            return false;
        }

        Say(member, read, seen);
        return true;
    }

    private void Say(Member member, in WaitingRead read, in SeenValue seen)
    {
        if (read.Answer is { } answer)
        {
            answers.Say(read.Waiter, answer);
        }
        else if (read.Listing is { } listing)
        {
            SayList(member, read, listing);
        }
        else if (read.IsLook)
        {
            answers.SayLook(read.Waiter, seen, Host);
        }
        else
        {
            answers.Say(member, read.Waiter, seen, Host);
        }
    }

    // After this callback: so all reads of a step are one round.
    private void AskLater(Member member, GroupWork work)
    {
        work.IsAsking = true;
        server.Loop.Post(_ask ??= state => Ask((Member)state!), member);
    }

    private void Ask(Member member)
    {
        if (member.Work is GroupWork work)
        {
            // Until it is noted: it may be declined, as by a leader that has just become one.
            work.IsAsking = false;
            if (member.Shown < member.State.Applied)
            {
                // What is applied, and not visible yet, may have been answered by another leader.
                return;
            }

            if (member.State.MayLease)
            {
                SayByLease(member, work);
                if (work.Reads.Count == 0)
                {
                    return;
                }
            }

            if (Mistake == PlantedMistake.ReadsUnconfirmed)
            {
                ReadNoted(member, 1);
                ReadConfirmed(member, 1);
                return;
            }

            Host.Step(member, GroupEvent.Of(EventKind.ReadDue));
        }
    }

    private void SayList(Member member, WaitingRead read, Listing listing) =>
        server.Loop.Run(() => lister.SayAsync(Host, member, read.Waiter, listing));

    private void SayByLease(Member member, GroupWork work) =>
        Open -= work.Reads.RemoveAll(read => read.Round == 0 && TrySay(member, read));
}
