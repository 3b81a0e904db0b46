namespace CamCube.Messaging.Streams.Connections;

/// <summary>Who tells the service what happened to its streams.</summary>
internal interface IStreamNews
{
    /// <summary>Something happened; called after the callback in which it did.</summary>
    void Tell(StreamBody stream, StreamNews news);
}
