using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// For how long a leader may answer reads without asking, and members vote for nobody else, by this server's clock. A
/// leader's time is three quarters of theirs and begins before it asks, theirs begins when they are asked: so its is
/// over first unless clocks run at rates that differ by far more than <see cref="KeyValueOptions.ClockDrift"/>. Loop
/// only.
/// </summary>
internal sealed class Leases(IServer server, KeyValueOptions options)
{
    private const int MostRounds = 64;
    private readonly double _drift = options.ClockDrift;

    /// <summary>A mistake for tests: the clock is looked at before what is answered.</summary>
    public bool LooksEarly { get; set; }

    /// <summary>From now on nobody else than the leader is voted for, for the group's time.</summary>
    public void Hold(Member member) =>
        member.Lease.HoldNanos = server.Loop.ReadClock() + (long)(NanosOf(member) * (1 + _drift));

    /// <summary>Whether that time is over, and the group does not know.</summary>
    public bool IsHoldOver(Member member) => member.State.IsHeld && server.Loop.ReadClock() >= member.Lease.HoldNanos;

    /// <summary>A round of questions is about to be sent.</summary>
    public void Noted(Member member, ulong round)
    {
        if (member.State.MayLease)
        {
            Lease lease = member.Lease;
            lease.Rounds.Enqueue((round, server.Loop.ReadClock()));
            if (lease.Rounds.Count > MostRounds)
            {
                lease.Rounds.Dequeue();
            }
        }
    }

    /// <summary>A majority has confirmed a round, and with it all before.</summary>
    public void Confirmed(Member member, ulong round)
    {
        Lease lease = member.Lease;
        while (lease.Rounds.TryPeek(out (ulong Round, long Nanos) asked) && asked.Round <= round)
        {
            lease.Rounds.Dequeue();
            lease.UntilNanos = Math.Max(lease.UntilNanos, asked.Nanos + (3 * NanosOf(member) / 4));
        }
    }

    /// <summary>Nothing that was confirmed counts any more.</summary>
    public static void End(Member member)
    {
        member.Lease.Rounds.Clear();
        (member.Lease.UntilNanos, member.Lease.IsUsed) = (long.MinValue, false);
    }

    /// <summary>Whether what was looked at before may be answered without asking. The clock is read now: a thread may
    /// have stood still in front of this line, and not since the callback's own time.</summary>
    public bool IsValid(Member member)
    {
        if (!member.State.MayLease || member.Lease.UntilNanos == long.MinValue)
        {
            return false;
        }

        bool isValid = Now(member.Lease) < member.Lease.UntilNanos;
        member.Lease.IsUsed |= isValid;
        return isValid;
    }

    /// <summary>Whether a majority is to be asked again, so that the time goes on: once for each beat in which it was
    /// of use.</summary>
    public static bool IsDue(Member member)
    {
        bool isDue = member.Lease.IsUsed && member.State.MayLease;
        member.Lease.IsUsed = false;
        return isDue;
    }

    private long Now(Lease lease)
    {
        long now = server.Loop.ReadClock(),
            earlier = lease.EarlierNanos;
        lease.EarlierNanos = now;
        return LooksEarly ? earlier : now;
    }

    private static long NanosOf(Member member) => member.State.Epoch is { } epoch ? 1_000L * epoch.Mode.LeaseMicros : 0;
}
