using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>Several observers of one server, told in order.</summary>
/// <param name="members">The observers.</param>
public sealed class ObserverGroup(IReadOnlyList<IServerObserver> members) : IServerObserver
{
    /// <summary>None for none, the one of one, or a group.</summary>
    public static IServerObserver? Of(IReadOnlyList<IServerObserver> members) =>
        members.Count switch
        {
            0 => null,
            1 => members[0],
            _ => new ObserverGroup(members),
        };

    /// <inheritdoc/>
    public void Sent(in PacketSummary packet, LinkSet links, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Sent(packet, links, now);
        }
    }

    /// <inheritdoc/>
    public void Arrived(in PacketSummary packet, Link on, bool isDestination, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Arrived(packet, on, isDestination, now);
        }
    }

    /// <inheritdoc/>
    public void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Decided(packet, verdict, links, now);
        }
    }

    /// <inheritdoc/>
    public void Threw(in PacketSummary packet, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Threw(packet, now);
        }
    }

    /// <inheritdoc/>
    public void Copied(in PacketSummary original, uint copy, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Copied(original, copy, now);
        }
    }

    /// <inheritdoc/>
    public void Rerouted(in PacketSummary packet, LinkSet links, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Rerouted(packet, links, now);
        }
    }

    /// <summary>What the first member says that says anything.</summary>
    public string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body)
    {
        foreach (IServerObserver member in members)
        {
            if (member.ContentsOf(service, header, body) is { } contents)
            {
                return contents;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost)
    {
        foreach (IServerObserver member in members)
        {
            member.Left(packet, link, now, busyUntil, isLost);
        }
    }

    /// <inheritdoc/>
    public void Dropped(in PacketSummary packet, DropReason reason, long now)
    {
        foreach (IServerObserver member in members)
        {
            member.Dropped(packet, reason, now);
        }
    }
}
