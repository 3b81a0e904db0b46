using System.Buffers.Binary;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger;

/// <summary>
/// The endpoint that each messenger has itself, <c>messenger@x,y,z</c>: it answers the commands of others. Loop only.
/// </summary>
internal sealed class OwnEndpoint(IServer server, MessengerService messenger)
{
    /// <summary>The question's item comes back.</summary>
    public const ushort Echo = 1;

    /// <summary>As many bytes as the item says are written into the window that is lent.</summary>
    public const ushort Fill = 2;

    /// <summary>Numbers of endpoints, from the one that the item says on.</summary>
    public const ushort List = 3;

    private static readonly TimeSpan Patience = TimeSpan.FromDays(1);

    /// <summary>The endpoint, once the messenger has started.</summary>
    public IEndpoint? Endpoint { get; private set; }

    /// <summary>The id of a server's.</summary>
    public static EndpointId IdOf(Coordinate server) => EndpointId.OfName(NameOf(server));

    /// <summary>Opens it, and answers from then on.</summary>
    public void Start()
    {
        var options = new EndpointOptions { Patience = Patience };
        if (messenger.TryOpen(NameOf(server.Coordinate), options, out IEndpoint? endpoint) == EndpointOpen.Ok)
        {
            Endpoint = endpoint;
            IEndpoint opened = endpoint!;
            server.Loop.Run(() => ServeAsync(opened));
        }
    }

    private static string NameOf(Coordinate server) => $"messenger@{server}";

    private async ValueTask ServeAsync(IEndpoint endpoint)
    {
        while (await endpoint.WaitAsync())
        {
            while (endpoint.TryReceive(out Message? message))
            {
                Answer(endpoint, message);
                message.Release();
            }
        }
    }

    private void Answer(IEndpoint endpoint, Message message)
    {
        if (message.Count != 1 || !message.IsCall)
        {
            return;
        }

        ReadOnlySpan<byte> item = message[0];
        int number = item.Length == sizeof(int) ? BinaryPrimitives.ReadInt32LittleEndian(item) : -1;
        switch (message.Method)
        {
            case Echo:
                endpoint.TryAnswer(message, Echo, item);
                break;
            case Fill when message.ReturnCount == 1 && number > 0 && number <= message.ReturnLength(0):
                AnswerLong(endpoint, message, number);
                break;
            case List when number >= 0:
                AnswerList(endpoint, message, number);
                break;
            default:
                break;
        }
    }

    private void AnswerLong(IEndpoint endpoint, Message message, int length)
    {
        if (!messenger.TryRentWindow(length, out Window? window))
        {
            return;
        }

        // Begun at once: the message is released afterwards.
        ValueTask<LongDelivery> delivery = endpoint.AnswerAsync(
            message,
            Fill,
            [window.Memory[..length]],
            TimeSpan.FromMinutes(1)
        );
        server.Loop.Run(() => ReturnAsync(delivery, window));
    }

    private async ValueTask ReturnAsync(ValueTask<LongDelivery> delivery, Window window)
    {
        await delivery;
        messenger.ReturnWindow(window);
    }

    private void AnswerList(IEndpoint endpoint, Message message, int first)
    {
        IReadOnlyList<EndpointNumbers> all = messenger.List();
        byte[] bytes = new byte[messenger.ShortRoom(1)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, all.Count);
        int length = sizeof(int);
        for (int i = first; i < all.Count && length + NumbersRecord.MostBytes <= bytes.Length; i++)
        {
            length += NumbersRecord.Write(bytes.AsSpan(length), all[i]);
        }

        endpoint.TryAnswer(message, List, bytes.AsSpan(0, length));
    }
}
