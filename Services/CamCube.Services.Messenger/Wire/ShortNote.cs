namespace CamCube.Services.Messenger.Wire;

/// <summary>What has to be known of a message after its packet is gone.</summary>
/// <param name="Flags">What it was for.</param>
/// <param name="Question">Its number, if it asked or offered.</param>
/// <param name="Source">Who sent it.</param>
internal readonly record struct ShortNote(ShortFlags Flags, ulong Question, EndpointId Source)
{
    public static ShortNote Of(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        return new ShortNote(MessengerHeader.HeadOf(packet).Flags, header.Question, new EndpointId(header.Source));
    }
}
