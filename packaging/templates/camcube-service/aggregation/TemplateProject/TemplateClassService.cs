using System.ComponentModel;
using CamCube;
using CamCube.Messaging;
using CamCube.Trees;

namespace TemplateSpace;

/// <summary>Asks all servers something; on the way back two values become one, so no server gets more than six.</summary>
//#if (isWrongId)
#error The service's id is 0x7fff; it must be 0x0100 to 0xffff, written with four digits. Lower ones are CamCube's.
//#endif
[CamCubeService(0x7fff, "template-service", Header = typeof(PlainHeader))]
public sealed class TemplateClassService(IServer server, TemplateClassOptions options)
    : AggregationService<TemplateClassQuestion, TemplateClassValue>(server),
        IServiceCommands
{
    private long _here;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<AddArguments, Here>("add", "Adds to what this server has.", Add, changes: true),
            ServiceCommand.Of<SumArguments, CommandResult>("sum", "What all servers have.", SumAsync),
        ];

    /// <summary>What this server says. It is asked again if its answer is lost, so it changes nothing.</summary>
    protected override TemplateClassValue Own(in TemplateClassQuestion question) =>
        _here < question.Least ? default : new(_here, 1);

    /// <summary>Two become one: at every server, for all behind it.</summary>
    protected override TemplateClassValue Combine(
        in TemplateClassQuestion question,
        in TemplateClassValue left,
        in TemplateClassValue right
    ) => new(left.Sum + right.Sum, left.Servers + right.Servers);

    private ValueTask<Here> Add(AddArguments arguments, CommandContext context) =>
        new(new Here(_here += arguments.Count));

    private async ValueTask<CommandResult> SumAsync(SumArguments arguments, CommandContext context)
    {
        Aggregate<TemplateClassValue> all = await AggregateAsync(
            new(arguments.Least),
            options.Patience * options.Attempts,
            context.Cancel
        );
        return all.IsAnswered
            ? CommandResult.Of(new TemplateClassSum(all.Value.Sum, all.Value.Servers, all.Servers))
            : CommandResult.Refused("not all servers have answered in time.");
    }

    private sealed record AddArguments([Description("how many")] long Count);

    private sealed record SumArguments([Description("of servers that have so much")] long Least = 1);

    private sealed record Here(long Count);
}
