namespace CamCube.Services.Cache.FrontEnds;

/// <summary>A client that is connected. Any thread.</summary>
internal interface IServedClient
{
    /// <summary>Its place in the list; the list's alone.</summary>
    LinkedListNode<IServedClient>? Node { get; set; }

    /// <summary>What <c>stats conns</c> says of it, maybe a moment late.</summary>
    ConnectionFacts Describe();

    /// <summary>Reads no more and ends when what was received is answered.</summary>
    void Drain();

    /// <summary>Closes now; its memory stays until the cache has given back what it was lent.</summary>
    void Abort();
}
