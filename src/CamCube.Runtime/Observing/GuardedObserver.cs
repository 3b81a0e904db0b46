namespace CamCube.Runtime.Observing;

/// <summary>An observer whose exceptions are kept for the end of the step: they are no fault of the service whose
/// packet it looks at.</summary>
internal sealed class GuardedObserver(IServerObserver inner, Action<Exception> failed) : IServerObserver
{
    public void Sent(in PacketSummary packet, LinkSet links, long now)
    {
        try
        {
            inner.Sent(packet, links, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Arrived(in PacketSummary packet, Link on, bool isDestination, long now)
    {
        try
        {
            inner.Arrived(packet, on, isDestination, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now)
    {
        try
        {
            inner.Decided(packet, verdict, links, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Threw(in PacketSummary packet, long now)
    {
        try
        {
            inner.Threw(packet, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Copied(in PacketSummary original, uint copy, long now)
    {
        try
        {
            inner.Copied(original, copy, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Rerouted(in PacketSummary packet, LinkSet links, long now)
    {
        try
        {
            inner.Rerouted(packet, links, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body)
    {
        try
        {
            return inner.ContentsOf(service, header, body);
        }
        catch (Exception e)
        {
            failed(e);
            return null;
        }
    }

    public void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost)
    {
        try
        {
            inner.Left(packet, link, now, busyUntil, isLost);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }

    public void Dropped(in PacketSummary packet, DropReason reason, long now)
    {
        try
        {
            inner.Dropped(packet, reason, now);
        }
        catch (Exception e)
        {
            failed(e);
        }
    }
}
