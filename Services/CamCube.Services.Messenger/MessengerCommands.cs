namespace CamCube.Services.Messenger;

/// <summary>What can be asked of the messenger from outside.</summary>
internal sealed class MessengerCommands(IServer server, MessengerService messenger, MessengerOptions options)
{
    public IReadOnlyList<ServiceCommand> Commands => [];

    public void Start() => _ = (server, messenger, options);
}
