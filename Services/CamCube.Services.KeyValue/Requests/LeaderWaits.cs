using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Who waits at the leader until a key has another version. Loop only.</summary>
internal sealed class LeaderWaits(IServer server, Answerer answers, LeaderReads reads, TimeSpan longest)
{
    /// <summary>The groups.</summary>
    public MemberHost Host { get; set; } = null!;

    /// <summary>Those that wait.</summary>
    public int Open { get; private set; }

    /// <summary>Answers when the version is another.</summary>
    public void Wait(Member member, GroupWork work, in Waiter waiter, in RequestContent request, UInt128 key)
    {
        ulong current = Evaluation.CurrentOf(Host, member, work, key, out ulong after);
        if (current == request.Condition.Version)
        {
            long nanos = (long)Math.Min(request.Number, (ulong)longest.TotalMicroseconds) * 1_000;
            Open++;
            work.Waits.Add(key, new WaitingChange(waiter, current, member.Tail.Last, server.NowNanos + nanos));
            return;
        }

        KeyValueStatus status = current == 0 ? KeyValueStatus.NotFound : KeyValueStatus.Done;
        reads.Read(member, work, WaitingRead.Of(waiter, key, new KeyValueAnswer(status, current), after));
    }

    /// <summary>This server leads the group no more.</summary>
    public void Refuse(GroupWork work, TimeSpan pause)
    {
        foreach (WaitingChange wait in work.Waits.All)
        {
            Open--;
            answers.Refuse(wait.Waiter, pause);
        }
    }

    /// <summary>A change of a key is visible.</summary>
    public void Shown(GroupWork work, UInt128 key, TailEntry entry, bool isDeleted)
    {
        KeyValueAnswer answer = isDeleted
            ? new KeyValueAnswer(KeyValueStatus.NotFound)
            : new KeyValueAnswer(KeyValueStatus.Done, entry.Version);
        foreach (WaitingChange wait in work.Waits.TakeBefore(key, entry.Index))
        {
            Open--;
            answers.Say(wait.Waiter, answer);
        }
    }

    /// <summary>Says to those whose time is over that it is still the same.</summary>
    public void Look(GroupWork work)
    {
        foreach (WaitingChange wait in work.Waits.TakeOver(server.NowNanos))
        {
            Open--;
            answers.Say(wait.Waiter, new KeyValueAnswer(KeyValueStatus.Conflict, wait.Unlike));
        }
    }
}
