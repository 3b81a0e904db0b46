namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>What is to be known of a command before it is done.</summary>
[Flags]
internal enum CommandFlags
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It changes keys.</summary>
    Write = 1,

    /// <summary>It reads keys, and changes none.</summary>
    Read = 2,

    /// <summary>It takes the same time whatever there is.</summary>
    Fast = 4,

    /// <summary>Only who may control may.</summary>
    Control = 8,

    /// <summary>Also who has not said who he is.</summary>
    Stranger = 16,

    /// <summary>Done at once between MULTI and EXEC, or refused by itself.</summary>
    Unqueued = 32,

    /// <summary>Refused between MULTI and EXEC.</summary>
    NoMulti = 64,

    /// <summary>Values of its keys have no say, only whether they are there, and for how long.</summary>
    WithoutValue = 128,

    /// <summary>Its keys are each on its own: they need not have one tag.</summary>
    EachKey = 256,

    /// <summary>Done also while clients stand still.</summary>
    Unpaused = 512,
}
