namespace CamCube.Services.KeyValue.Wire;

/// <summary>What a message of the service is.</summary>
internal enum MessageType : byte
{
    None = 0,

    /// <summary>From a member of groups to another: <see cref="GroupMessageFormat"/>, one behind the other.</summary>
    Groups = 1,

    /// <summary>I am here, and this is what I lead and follow with you: <see cref="BeatContent"/>.</summary>
    Beat = 2,

    /// <summary>To a key or its leader: <see cref="RequestFormat"/>.</summary>
    Request = 3,

    /// <summary>From who did it: <see cref="AnswerFormat"/>.</summary>
    Answer = 4,

    /// <summary>Nobody did it because of this message; the content says when to ask again, and whom.</summary>
    Refusal = 5,

    /// <summary>What do you have? The content says which stores were given up.</summary>
    AskStore = 6,

    /// <summary>This, and the stores that were given up.</summary>
    Store = 7,

    /// <summary>These stores are those of the first start.</summary>
    Founding = 8,

    /// <summary>To a member whose log ends before this server's begins: ask for the state.</summary>
    StateOffer = 9,

    /// <summary>The state of a group, from here on: <see cref="StateAsk"/>.</summary>
    StateAsk = 10,

    /// <summary>A part of it: <see cref="StateChunk"/>, then records.</summary>
    StateChunk = 11,

    /// <summary>To another member: the change of a group (4 bytes) that made a version (8) has rotted here.</summary>
    RecordAsk = 12,

    /// <summary>The group (4 bytes) and that change, as in a state.</summary>
    Record = 13,

    /// <summary>To a member: what do you have of these versions? <see cref="Wire.CopyAsk"/>.</summary>
    CopyAsk = 14,

    /// <summary>This: <see cref="Wire.CopyPage"/>.</summary>
    CopyPage = 15,

    /// <summary>What do you know of your groups? For a recovery by hand.</summary>
    SurveyAsk = 16,

    /// <summary>This: <see cref="Wire.Survey"/>.</summary>
    Survey = 17,

    /// <summary>These stores are given up: how many (4 bytes), which, and behind them those that answered.</summary>
    Ban = 18,

    /// <summary>It is written down (1), or one of those that answered was given up before (0).</summary>
    BanSaid = 19,
}
