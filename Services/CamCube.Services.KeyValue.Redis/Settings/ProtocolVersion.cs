namespace CamCube.Services.KeyValue.Redis.Settings;

/// <summary>The version of Redis whose commands are spoken, as clients look at it to know what they may use.</summary>
internal static class ProtocolVersion
{
    public const string Text = "7.0.15";
}
