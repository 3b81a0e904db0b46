namespace CamCube.Services.Messenger.Wire;

/// <summary>What a short message is for.</summary>
[Flags]
internal enum ShortFlags : byte
{
    None = 0,

    /// <summary>Its sender waits for an answer with its <see cref="MessengerHeader.Question"/>.</summary>
    Call = 1,

    /// <summary>It answers.</summary>
    Answer = 2,

    /// <summary>It offers a long message; the body has the lengths of the items.</summary>
    Offer = 4,

    /// <summary>It has been missed once.</summary>
    Again = 8,
}
