namespace CamCube.Messaging.Pieces;

/// <summary>
/// Lets the pieces of long messages come as the receiver can take them, so that many senders to one fill its links and
/// no queue (Homa's grants, receiver-driven): those of which least is missing first. Loop only.
/// </summary>
internal sealed class Grants<THeader>(IServer server, MessageOptions options, Inbox<THeader> inbox)
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private const int Least = 8;

    /// <summary>Grants as many pieces as may be open. To be called when a piece came, or a message is gone.</summary>
    public void Give()
    {
        int open = 0,
            wanting = 0;
        for (int i = 0; i < inbox.Count; i++)
        {
            HalfMessage<THeader> half = inbox[i];
            open += half.Open;
            wanting += half.Granted < half.Shape.Count ? 1 : 0;
        }

        int ofOne = wanting == 0 ? 0 : Math.Max(Least, options.GrantedPieces / wanting);
        while (options.GrantedPieces - open >= Least && Choose(ofOne) is { } half)
        {
            int more = Math.Min(
                ofOne - half.Open,
                Math.Min(options.GrantedPieces - open, half.Shape.Count - half.Granted)
            );
            if (!Say(half, half.Granted + more))
            {
                return;
            }

            open += more;
        }
    }

    /// <summary>Tells a sender how many pieces it may send. False: there was no packet for it; the timer says it
    /// again.</summary>
    public bool Say(HalfMessage<THeader> half, int granted)
    {
        if (!server.Packets.TryRent(0, out Packet? packet))
        {
            return false;
        }

        half.NoteGranted(granted, server.NowNanos);
        ref THeader header = ref packet.Header<THeader>();
        header = half.Header;
        ref MessageHeader message = ref THeader.MessageOf(ref header);
        (message.Kind, message.Piece) = (MessageKind.Grant, (ushort)(granted - 1));
        server.Send(packet, half.Id.Source);
        return true;
    }

    // Of those that want more and have used up half of their part, the one of which least is missing.
    private HalfMessage<THeader>? Choose(int ofOne)
    {
        HalfMessage<THeader>? best = null;
        for (int i = 0; i < inbox.Count; i++)
        {
            HalfMessage<THeader> half = inbox[i];
            bool wants = half.Granted < half.Shape.Count && half.Open <= ofOne / 2;
            best = wants && (best is null || half.Remaining < best.Remaining) ? half : best;
        }

        return best;
    }
}
