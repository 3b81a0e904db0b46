namespace CamCube.Services.Messenger.Wire;

/// <summary>What the root says of a name.</summary>
internal enum RegisterStatus : byte
{
    /// <summary>In a question: the name is wanted, or still had.</summary>
    Ask = 0,

    /// <summary>In a question: it is given up.</summary>
    GiveUp = 1,

    /// <summary>The name is the asker's, with the term in the header.</summary>
    Granted = 2,

    /// <summary>Another has it.</summary>
    Taken = 3,

    /// <summary>Ask again soon: its owner may not have told this root yet, or there is no room.</summary>
    Wait = 4,

    /// <summary>It is given up.</summary>
    GivenUp = 5,
}
