namespace CamCube;

/// <summary>
/// A service that an operator can ask things: its host offers the commands at
/// <c>POST /api/servers/{server}/services/{service}/{command}</c>, and the tool as <c>camcube service call</c>.
/// </summary>
/// <example>
/// <code>
/// public IReadOnlyList&lt;ServiceCommand&gt; Commands =&gt; [ServiceCommand.Of&lt;GreetArguments,
/// Greeting&gt;("greet", "Says hello.", GreetAsync)];
///
/// private async ValueTask&lt;Greeting&gt; GreetAsync(GreetArguments arguments, CommandContext context) =&gt; ...
/// </code>
/// </example>
public interface IServiceCommands
{
    /// <summary>The commands. Read once, on the loop, when an instance starts. Names that are not among them never
    /// reach the service.</summary>
    IReadOnlyList<ServiceCommand> Commands { get; }
}
