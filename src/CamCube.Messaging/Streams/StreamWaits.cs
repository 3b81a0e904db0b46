namespace CamCube.Messaging;

/// <summary>Who waits for a stream, in each direction; made when somebody does.</summary>
internal sealed class StreamWaits
{
    public StreamWait Reader { get; } = new();

    public StreamWait Writer { get; } = new();

    /// <summary>Goes on with both, if they wait.</summary>
    public void Complete(bool reader, bool writer)
    {
        Reader.Complete(reader);
        Writer.Complete(writer);
    }
}
