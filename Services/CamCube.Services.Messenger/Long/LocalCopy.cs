namespace CamCube.Services.Messenger.Long;

/// <summary>A long message between two endpoints of one server: copied a part at a time, so that the loop does not
/// stand still.</summary>
internal sealed class LocalCopy(IServer server, OutgoingLong from, IncomingLong to, LongReceiver receiver)
{
    private const int Part = 1 << 18;
    private int _item,
        _offset;

    public void Step()
    {
        if (from.HasEnded)
        {
            receiver.BreakOff(to);
            return;
        }

        if (to.HasEnded)
        {
            from.End(new LongDelivery(LongStatus.BrokenOff));
            return;
        }

        int room = Part;
        for (; _item < to.Count && room > 0; _item++, _offset = 0)
        {
            if (to.Windows[_item] is null)
            {
                continue;
            }

            ReadOnlySpan<byte> rest = from.Items[_item].Span[_offset..];
            int n = Math.Min(rest.Length, room);
            to.Take(rest[..n]);
            _offset += n;
            room -= n;
            if (n < rest.Length)
            {
                break;
            }
        }

        if (_item < to.Count)
        {
            server.Loop.Post(static c => ((LocalCopy)c!).Step(), this);
            return;
        }

        int discarded = to.Windows.Count(w => w is null);
        to.Take(default);
        receiver.Finish(to);
        from.End(new LongDelivery(LongStatus.Delivered, discarded));
    }
}
