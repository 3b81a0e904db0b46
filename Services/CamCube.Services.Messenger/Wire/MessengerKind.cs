namespace CamCube.Services.Messenger.Wire;

/// <summary>What a packet of the messenger is; those of streams have 16 and more.</summary>
internal enum MessengerKind : byte
{
    /// <summary>Items for an endpoint, or the offer of a long message.</summary>
    Short = 1,

    /// <summary>The same packet, back at its sender: no such endpoint there.</summary>
    Missed = 2,

    /// <summary>Owner to the root of the name's key: wants the name, has it, or gives it up.</summary>
    Register = 3,

    /// <summary>The answer; the body is the owner's place.</summary>
    Registered = 4,

    /// <summary>To the root of the name's key: where is it?</summary>
    Find = 5,

    /// <summary>The answer; the body is the place.</summary>
    Found = 6,

    /// <summary>Root to an owner: another has the name; the body is its place.</summary>
    Ousted = 7,

    /// <summary>To all servers: who has it?</summary>
    Query = 8,

    /// <summary>The answer, from the owner; the body is the place.</summary>
    Here = 9,

    /// <summary>Owner to another server: does somebody there wait for the name?</summary>
    AskMove = 10,

    /// <summary>The answer, with a token in <see cref="MessengerHeader.Source"/>; 0: nobody.</summary>
    MoveToken = 11,

    /// <summary>The name is yours, with this term.</summary>
    Move = 12,

    /// <summary>It is.</summary>
    Moved = 13,

    /// <summary>Receiver to the sender of an offer: it will not be pulled.</summary>
    OfferAnswer = 14,
}
