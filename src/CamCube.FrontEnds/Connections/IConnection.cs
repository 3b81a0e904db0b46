using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Connections;

/// <summary>A client that is connected. Any thread.</summary>
internal interface IConnection
{
    /// <summary>Its place in the list; the list's alone.</summary>
    LinkedListNode<IConnection>? Node { get; set; }

    /// <summary>What is known of it, maybe a moment late.</summary>
    ConnectionFacts Describe();

    /// <summary>Reads no more and ends when what was received is answered.</summary>
    void Drain();

    /// <summary>Closes now; its memory stays until what it has lent was given back.</summary>
    void Abort();
}
