using CamCube.Messaging;

namespace CamCube.Services.Messenger.Long;

/// <summary>A long message on its stream, at one of its ends.</summary>
internal interface ITransfer
{
    void OnReadable(ReliableStream stream);

    void OnWritable(ReliableStream stream);

    void OnEnded(ReliableStream stream);
}
