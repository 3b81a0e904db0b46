namespace CamCube.Shim.Switch.Format;

/// <summary>Why a connection is refused, for people. Pure functions.</summary>
internal static class GreetingWords
{
    /// <summary>A part of a sentence.</summary>
    public static string Of(GreetingFault fault) =>
        fault switch
        {
            GreetingFault.OtherVersion => "the other end speaks another version",
            GreetingFault.OtherCluster => "the other end is of another cluster (CamCube:ClusterId)",
            GreetingFault.OtherShape => "the other end has another CamCube:Shape",
            GreetingFault.OtherFrameLength => "the other end has another CamCube:Switch:MaxFrameLength",
            GreetingFault.WrongServer => "the other end is not the server that CamCube:Switch:Servers says",
            GreetingFault.Doubled => "the server is connected already; do two have one CamCube:Coordinate?",
            _ => "the other end is no server of CamCube",
        };
}
