using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Header of the service's packets: 60 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct KeyValueHeader : IMessageHeader<KeyValueHeader>
{
    /// <summary>The least of <see cref="EarlierTenths"/>; 1 is of a server of an earlier build, that does not say how
    /// long ago it was.</summary>
    public const byte LeastTenths = 2;

    public MessageHeader Message;

    /// <summary>Of a request, an answer and a refusal: the key it is about.</summary>
    public Key Key;

    /// <summary>The question of the asking server.</summary>
    public ulong Question;

    /// <summary>The attempt, from 1; behind 255 comes 2. Only of the first it is sure that no other is on its way.
    /// </summary>
    public byte Attempt;

    public MessageType Type;

    /// <summary>How often it was passed on.</summary>
    public byte Passed;

    /// <summary>Of a request of which an earlier attempt may have been done, or may be yet: tenths of a second from
    /// when the first was sent until this one is given up, rounded up; 255: more than 25.4 s. 0: none may.</summary>
    public byte EarlierTenths;

    /// <summary>Of an answer: the hops that the request had made.</summary>
    public ushort Hops;

    public ushort Unused1;

    public static ref MessageHeader MessageOf(ref KeyValueHeader header) => ref header.Message;

    /// <summary>The header of what is said to a request.</summary>
    public static KeyValueHeader Answering(in KeyValueHeader asked, MessageType type) =>
        new()
        {
            Key = asked.Key,
            Question = asked.Question,
            Attempt = asked.Attempt,
            Type = type,
        };
}
